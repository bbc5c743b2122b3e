import { type KeyObject, randomBytes } from 'node:crypto';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { decryptGcm, encryptGcm, KEY_BYTES } from './gcm.ts';
import type { KeyProvider } from './secret-keys.ts';

/**
 * Envelope encryption: each secret has its own data key, which is wrapped by the service key with the id in the text.
 * Both use AES-256-GCM. `context` is authenticated, so a text that was moved to another row does not decrypt. Format:
 * `v1.<key id>.<wrapped data key>.<ciphertext>`; the last two parts are `iv | ciphertext | tag` in base64url.
 */

export function seal(keys: KeyProvider, plain: string | Uint8Array, context: string): string {
  const dataKey = randomBytes(KEY_BYTES);
  return ['v1', ...wrap(keys, dataKey, context), encrypt(dataKey, Buffer.from(plain as string), context)].join('.');
}

/**
 * Throws `crypto.key_required` if the key is not available, and `crypto.corrupt` if any bit or the context differs.
 */
export function unseal(keys: KeyProvider, sealed: string, context: string): Buffer {
  const { id, wrapped, text } = partsOf(sealed);
  return decrypt(unwrap(keys, id, wrapped, context), text, context);
}

/**
 * Returns the same secret under the current key: wraps its data key again and keeps the ciphertext. Throws as `unseal`
 * does.
 */
export function rewrap(keys: KeyProvider, sealed: string, context: string): string {
  const { id, wrapped, text } = partsOf(sealed);
  return ['v1', ...wrap(keys, unwrap(keys, id, wrapped, context), context), text].join('.');
}

function wrap(keys: KeyProvider, dataKey: Uint8Array, context: string): [id: string, wrapped: string] {
  const id = keys.current_id;
  return [id, encrypt(keys.key(id) as KeyObject, dataKey, `${id}|${context}`)];
}

function unwrap(keys: KeyProvider, id: string, wrapped: string, context: string): Buffer {
  const key = keys.key(id);
  if (key === undefined)
    throw coreProblem(
      'crypto.key_required',
      `A stored secret is encrypted with key ${id}, which is missing from CAPSTAN_SECRET_KEY. Add that key ` +
        'after the current one.',
    );
  return decrypt(key, wrapped, `${id}|${context}`);
}

const FORM = /^v1\.([0-9a-f]{12})\.([\w-]+)\.([\w-]+)$/;

function partsOf(sealed: string): { id: string; wrapped: string; text: string } {
  const [, id, wrapped = '', text = ''] = FORM.exec(sealed) ?? [];
  if (id === undefined) throw notIntact();
  return { id, wrapped, text };
}

/** Returns the id of the key that encrypted it, or null if it is not an encrypted text. */
export const keyIdIn = (sealed: string): string | null => FORM.exec(sealed)?.[1] ?? null;

const encrypt = (key: KeyObject | Uint8Array, plain: Uint8Array, context: string): string =>
  encryptGcm(key, plain, Buffer.from(context)).toString('base64url');

function decrypt(key: KeyObject | Uint8Array, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  // Accept only the canonical encoding, so that any change of the text is rejected.
  if (bytes.toString('base64url') !== text) throw notIntact();
  try {
    return decryptGcm(key, bytes, Buffer.from(context));
  } catch (cause) {
    throw notIntact(cause);
  }
}

const notIntact = (cause?: unknown): Problem =>
  coreProblem('crypto.corrupt', 'A stored secret failed its integrity check.', { cause });
