import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { appProblem } from '#app/errors.ts';
import { decryptGcm, encryptGcm, KEY_BYTES } from '#core/crypto/gcm.ts';
import type { Cost } from '#core/crypto/passwords.ts';
import type { KeptKey } from './format.ts';

/**
 * The secret key in a backup, encrypted with a key that argon2id derives from a passphrase. Anyone with the file can
 * try passphrases without limit, so each attempt is made expensive.
 */

/** The second option that RFC 9106 recommends. */
const COST = { memory: 65_536, passes: 3, parallelism: 4 };
/** Limits what a modified file can request, because the tag is verified only afterwards. */
const MOST_MEMORY_KIB = 1_048_576;
const MOST_PASSES = 20;
const SALT_BYTES = 16;

const derive = promisify(argon2);

export const FEWEST_CHARS = 12;

/** `id` names the key and is bound to the ciphertext. */
export async function sealKey(id: string, text: string, passphrase: string): Promise<KeptKey> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(passphrase, { salt, ...COST });
  const sealed = encryptGcm(key, Buffer.from(text), contextOf(id));
  return {
    id,
    kept: 'sealed',
    salt: salt.toString('base64'),
    argon2id: COST,
    text: sealed.toString('base64'),
  };
}

/** Throws `backup.invalid` (`passphrase_wrong`). */
export async function openKey(kept: KeptKey & { kept: 'sealed' }, passphrase: string): Promise<string> {
  const { id, salt, text } = kept;
  const { memory, passes, parallelism } = kept.argon2id;
  const cost = { parallelism, memory: Math.min(memory, MOST_MEMORY_KIB), passes: Math.min(passes, MOST_PASSES) };
  const key = await keyOf(passphrase, { salt: Buffer.from(salt, 'base64'), ...cost });
  try {
    return decryptGcm(key, Buffer.from(text, 'base64'), contextOf(id)).toString();
  } catch (cause) {
    throw appProblem('backup.invalid', 'Wrong passphrase for the secret key in this backup. No changes were made.', {
      reason: 'passphrase_wrong',
      cause,
    });
  }
}

const contextOf = (id: string): Buffer => Buffer.from(`capstan backup|${id}`);

const keyOf = (passphrase: string, { salt, ...cost }: Cost & { salt: Buffer }) =>
  derive('argon2id', { message: passphrase.normalize('NFC'), nonce: salt, tagLength: KEY_BYTES, ...cost });
