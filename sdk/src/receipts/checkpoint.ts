import { type Bytes, base64, isSame, joined, sha256, strictBase64, utf8 } from './bytes.ts';
import { isSignedBy, type PublicKey } from './public-key.ts';

/** A log's signed state in the C2SP forms `tlog-checkpoint` and `signed-note`. */

interface Checkpoint {
  /** Name of the log, and of the key that signs for it. */
  origin: string;
  size: number;
  root: Bytes;
}

/** The signature type of C2SP signed notes for Ed25519. */
const ED25519 = Uint8Array.of(1);
const KEY_HASH_BYTES = 4;

const NOTE = /^([^\s+]{1,500})\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n\n— (\S{1,500}) ([A-Za-z0-9+/]{91}=)\n$/;

/** The checkpoint if the note is in canonical form and signed with the key; otherwise null. */
export async function openCheckpoint(note: string, key: PublicKey): Promise<Checkpoint | null> {
  const [, origin, size, root, name, signed] = NOTE.exec(note) ?? [];
  if (origin === undefined || origin !== name) return null;
  const rootBytes = strictBase64(root as string);
  const signedBytes = strictBase64(signed as string);
  if (rootBytes === null || signedBytes === null) return null;
  const hash = await sha256(utf8(`${origin}\n`), ED25519, key.raw);
  if (!isSame(signedBytes.subarray(0, KEY_HASH_BYTES), hash.subarray(0, KEY_HASH_BYTES))) return null;
  const text = `${origin}\n${Number(size)}\n${base64(rootBytes)}\n`;
  const signature = joined(signedBytes.subarray(KEY_HASH_BYTES));
  return (await isSignedBy(key, utf8(text), signature)) ? { origin, size: Number(size), root: rootBytes } : null;
}
