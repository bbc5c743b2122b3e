import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '#core/crypto/sha256.ts';

/**
 * The format of an API key: `cap_`, 32 random base62 characters (190 bits), and their CRC-32 as six base62 characters.
 * With the checksum, secret scanners and the service can recognize a key without a database.
 */

const API_KEY_PREFIX = 'cap_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The greatest multiple of 62 in a byte: values from here on would make some characters more likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
const FORM = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function newApiKeyText(random: (size: number) => Uint8Array = randomBytes): string {
  let text = '';
  while (text.length < RANDOM_LENGTH)
    for (const byte of random(RANDOM_LENGTH))
      if (byte < FAIR_BYTES && text.length < RANDOM_LENGTH) text += ALPHABET[byte % ALPHABET.length];
  return `${API_KEY_PREFIX}${text}${checksum(text)}`;
}

/** Returns whether the text has the format of a key and a valid checksum. The key may not exist. */
export function isApiKeyText(text: string): boolean {
  if (!FORM.test(text)) return false;
  const end = API_KEY_PREFIX.length + RANDOM_LENGTH;
  return checksum(text.slice(API_KEY_PREFIX.length, end)) === text.slice(end);
}

/** What is stored of a key. It has 190 random bits, so a plain hash is enough. */
export const hashApiKey = (text: string): string => sha256(text);

/** Shown in lists, so that its owner recognizes the key. */
export const hintOf = (text: string): string => `${text.slice(0, API_KEY_PREFIX.length + 4)}…`;

function checksum(text: string): string {
  let digits = '';
  for (let left = crc32(text); digits.length < CHECKSUM_LENGTH; left = Math.floor(left / ALPHABET.length))
    digits = ALPHABET[left % ALPHABET.length] + digits;
  return digits;
}
