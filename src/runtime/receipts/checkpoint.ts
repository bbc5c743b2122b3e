import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { strictBase64 } from './dsse.ts';
import { rawPublicKey, type SigningPair } from './receipt-key.ts';

/** A log's signed state in the C2SP forms `tlog-checkpoint` and `signed-note`. */

export interface Checkpoint {
  /** Name of the log, and of the key that signs for it. */
  origin: string;
  size: number;
  root: Buffer;
}

/** The signature type of C2SP signed notes for Ed25519. */
const ED25519 = Buffer.of(1);
const KEY_HASH_BYTES = 4;

const textOf = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

/** The text, an empty line, and the signature's line. */
export function signCheckpoint(checkpoint: Checkpoint, { private_key, public_key }: SigningPair): string {
  const text = textOf(checkpoint);
  const signature = sign(null, Buffer.from(text), private_key);
  const signed = Buffer.concat([keyHash(checkpoint.origin, public_key), signature]).toString('base64');
  return `${text}\n— ${checkpoint.origin} ${signed}\n`;
}

const keyHash = (name: string, publicKey: KeyObject): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(ED25519)
    .update(rawPublicKey(publicKey))
    .digest()
    .subarray(0, KEY_HASH_BYTES);

const NOTE = /^([^\s+]{1,500})\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n\n— (\S{1,500}) ([A-Za-z0-9+/]{91}=)\n$/;

/** The checkpoint if the note is in canonical form and signed by `public_key`; otherwise null. */
export function openCheckpoint(note: string, public_key: KeyObject): Checkpoint | null {
  const [, origin, size, root, name, signed] = NOTE.exec(note) ?? [];
  if (origin === undefined || origin !== name) return null;
  const rootBytes = strictBase64(root as string);
  const signedBytes = strictBase64(signed as string);
  if (rootBytes === null || signedBytes === null) return null;
  const checkpoint = { origin, size: Number(size), root: rootBytes };
  const hash = signedBytes.subarray(0, KEY_HASH_BYTES);
  const signature = signedBytes.subarray(KEY_HASH_BYTES);
  if (!hash.equals(keyHash(origin, public_key))) return null;
  return verify(null, Buffer.from(textOf(checkpoint)), public_key, signature) ? checkpoint : null;
}
