import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** AES-256-GCM with a 96-bit IV and a 128-bit tag only. The bytes are `iv | ciphertext | tag`. */

export const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const KEY_BYTES = 32;

const ALGORITHM = 'aes-256-gcm';
const OPTIONS = { authTagLength: TAG_BYTES };

/** Only tests pass `iv`: using an IV twice with one key reveals the key. */
export function encryptGcm(
  key: KeyObject | Uint8Array,
  plain: Uint8Array,
  context: Uint8Array,
  iv: Uint8Array = randomBytes(IV_BYTES),
): Buffer {
  if (iv.length !== IV_BYTES) throw new Error(`the IV must have ${IV_BYTES} bytes`);
  const cipher = createCipheriv(ALGORITHM, key, iv, OPTIONS).setAAD(context);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if any bit of the bytes or the context differs. */
export function decryptGcm(key: KeyObject | Uint8Array, bytes: Uint8Array, context: Uint8Array): Buffer {
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('ciphertext too short');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), OPTIONS)
    .setAAD(context)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
