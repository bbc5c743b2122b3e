import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { decryptGcm, encryptGcm, KEY_BYTES } from '#core/crypto/gcm.ts';
import type { Cost } from '#core/crypto/passwords.ts';
import { Problem } from '#core/problem/problem.ts';
import type { KeptKey } from './format.ts';

/**
 * The service's secret key as a backup keeps it: sealed by a key that argon2id makes of a passphrase. Who has the file
 * can try passphrases for as long as they like, so each try is made dear.
 */

/** The second of the settings that RFC 9106 recommends. */
const COST = { memory: 65_536, passes: 3, parallelism: 4 };
/** What a changed file could ask for at most: the tag is checked only afterwards. */
const MOST_MEMORY_KIB = 1_048_576;
const MOST_PASSES = 20;
const SALT_BYTES = 16;

const derive = promisify(argon2);

export const FEWEST_CHARS = 12;

/** `id` says which key it is; it is bound to what is sealed. */
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

/** Throws `backup.wrong_passphrase`. */
export async function openKey(kept: KeptKey & { kept: 'sealed' }, passphrase: string): Promise<string> {
  const { id, salt, text } = kept;
  const { memory, passes, parallelism } = kept.argon2id;
  const cost = { parallelism, memory: Math.min(memory, MOST_MEMORY_KIB), passes: Math.min(passes, MOST_PASSES) };
  const key = await keyOf(passphrase, { salt: Buffer.from(salt, 'base64'), ...cost });
  try {
    return decryptGcm(key, Buffer.from(text, 'base64'), contextOf(id)).toString();
  } catch (cause) {
    throw new Problem(
      'unprocessable',
      'backup.wrong_passphrase',
      'Wrong passphrase for the secret key in this backup. No changes were made.',
      { cause },
    );
  }
}

const contextOf = (id: string): Buffer => Buffer.from(`capstan backup|${id}`);

const keyOf = (passphrase: string, { salt, ...cost }: Cost & { salt: Buffer }) =>
  derive('argon2id', { message: passphrase.normalize('NFC'), nonce: salt, tagLength: KEY_BYTES, ...cost });
