import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { KeyProvider } from './secret-keys.ts';

/**
 * Envelope encryption: a data key of its own for each secret, wrapped by the service's key of the id that stands
 * beside it. AES-256-GCM for both; `context` is authenticated, so that a row moved elsewhere does not open.
 * Form: `v1.<key id>.<wrapped data key>.<ciphertext>`, each part but the id `iv | ciphertext | tag` in base64url.
 */

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export function seal(keys: KeyProvider, plain: string | Uint8Array, context: string): string {
  const data_key = randomBytes(KEY_BYTES);
  const id = keys.current_id;
  const wrapped = encrypt(keys.key(id) as KeyObject, data_key, `${id}|${context}`);
  return ['v1', id, wrapped, encrypt(data_key, Buffer.from(plain as string), context)].join('.');
}

/** Throws `crypto.key_not_held` where the key is another, `crypto.not_intact` where a single bit or the context is. */
export function unseal(keys: KeyProvider, sealed: string, context: string): Buffer {
  const [version, id = '', wrapped = '', text = '', ...rest] = sealed.split('.');
  if (version !== 'v1' || rest.length > 0) throw notIntact();
  const key = keys.key(id);
  if (key === undefined)
    throw new Problem(
      'unavailable',
      'crypto.key_not_held',
      `A stored secret was sealed by the key ${id}, which is not in CAPSTAN_SECRET_KEY. Add that key, after the current one.`,
    );
  return decrypt(decrypt(key, wrapped, `${id}|${context}`), text, context);
}

function encrypt(key: KeyObject | Uint8Array, plain: Uint8Array, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function decrypt(key: KeyObject | Uint8Array, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) throw notIntact();
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), options)
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw notIntact(cause);
  }
}

const notIntact = (cause?: unknown): Problem =>
  new Problem('internal', 'crypto.not_intact', 'A stored secret is not what was stored.', { cause });
