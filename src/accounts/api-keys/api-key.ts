import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of an API key: `cap_`, 32 random base62 characters (190 bits), and the base62 CRC-32 of these in six.
 * The checksum lets a scanner, and us, know a key from any other text without asking a database.
 */

export const API_KEY_PREFIX = 'cap_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The greatest multiple of 62 in a byte: bytes from here on would make some characters likelier than others. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
const FORM = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function newApiKeyText(random: (size: number) => Uint8Array = randomBytes): string {
  let text = '';
  while (text.length < RANDOM_LENGTH)
    for (const byte of random(RANDOM_LENGTH))
      if (byte < FAIR_BYTES && text.length < RANDOM_LENGTH) text += ALPHABET[byte % ALPHABET.length];
  return `${API_KEY_PREFIX}${text}${checksum(text)}`;
}

/** Whether the text has the form of a key and its checksum is right. Says nothing about whether there is such a key. */
export function isApiKeyText(text: string): boolean {
  if (!FORM.test(text)) return false;
  const end = API_KEY_PREFIX.length + RANDOM_LENGTH;
  return checksum(text.slice(API_KEY_PREFIX.length, end)) === text.slice(end);
}

/** What is stored of a key. It has 190 random bits, so a plain hash is enough. */
export const hashApiKey = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a list shows, so that its owner knows which key it is. */
export const hintOf = (text: string): string => `${text.slice(0, API_KEY_PREFIX.length + 4)}…`;

function checksum(text: string): string {
  let digits = '';
  for (let left = crc32(text); digits.length < CHECKSUM_LENGTH; left = Math.floor(left / ALPHABET.length))
    digits = ALPHABET[left % ALPHABET.length] + digits;
  return digits;
}
