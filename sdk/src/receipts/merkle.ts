import { type Bytes, sha256 } from './bytes.ts';

/** RFC 9162 Merkle trees over SHA-256, as far as a proof of inclusion needs them. */

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (entry: Uint8Array): Promise<Bytes> => sha256(LEAF, entry);
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(NODE, left, right);

/** The root computed from a proof (section 2.1.3.2); null if its length is wrong. */
export async function rootFromInclusion(
  leaf: Bytes,
  index: number,
  size: number,
  proof: readonly Bytes[],
): Promise<Bytes | null> {
  if (index >= size) return null;
  let at = index;
  let last = size - 1;
  let root = leaf;
  for (const hash of proof) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      root = await nodeHash(hash, root);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else root = await nodeHash(root, hash);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? root : null;
}
