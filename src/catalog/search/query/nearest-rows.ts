import { hasBit } from '../index/bitset.ts';
import { BLOCK, lengthOf, type VectorBlock, type Vectors } from '../index/vectors.ts';

/** The capabilities whose vectors point most in the direction of a query's: an exact scan, meant for a separate thread. */

export interface NearestRequest extends Pick<Vectors, 'dimensions' | 'blocks'> {
  /** The base and the delta, with the slot of each row. */
  parts: readonly { slots: Int32Array; deleted: Int32Array | null }[];
  query: Int8Array;
  most: number;
}

/** The nearest first. A hit is a row of the base, or `-1 - row` for a row of the delta. */
export interface NearestHits {
  hits: Int32Array;
  /** Cosines. */
  similarities: Float32Array;
}

export function nearestRows({ blocks, dimensions, parts, query, most }: NearestRequest): NearestHits {
  const inverse = 1 / lengthOf(query);
  const wide = Int32Array.from(query);
  const best: { hit: number; similarity: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  parts.forEach(({ slots, deleted }, part) => {
    for (let row = 0; row < slots.length; row++) {
      const slot = slots[row] as number;
      if (slot < 0 || (deleted !== null && hasBit(deleted, row))) continue;
      const { vectors, inverses } = blocks[Math.floor(slot / BLOCK)] as VectorBlock;
      const at = slot % BLOCK;
      const similarity = dot(vectors, at * dimensions, wide) * (inverses[at] as number) * inverse;
      if (similarity <= least && best.length === most) continue;
      insert(best, { hit: part === 0 ? row : -1 - row, similarity }, most);
      least = (best[best.length - 1] as { similarity: number }).similarity;
    }
  });
  return {
    hits: Int32Array.from(best, ({ hit }) => hit),
    similarities: Float32Array.from(best, ({ similarity }) => similarity),
  };
}

/** Four sums, because each addition waits for the one before it. */
function dot(vectors: Int8Array, from: number, query: Int32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const even = query.length & ~3;
  let i = 0;
  for (; i < even; i += 4) {
    const at = from + i;
    a = (a + Math.imul(vectors[at] as number, query[i] as number)) | 0;
    b = (b + Math.imul(vectors[at + 1] as number, query[i + 1] as number)) | 0;
    c = (c + Math.imul(vectors[at + 2] as number, query[i + 2] as number)) | 0;
    d = (d + Math.imul(vectors[at + 3] as number, query[i + 3] as number)) | 0;
  }
  for (; i < query.length; i++) a = (a + Math.imul(vectors[from + i] as number, query[i] as number)) | 0;
  return a + b + c + d;
}

/** Behind equal ones, so that ties keep the order of downloads. */
function insert<T extends { similarity: number }>(best: T[], entry: T, most: number): void {
  if (best.length === most) best.pop();
  let at = best.length;
  while (at > 0 && (best[at - 1] as T).similarity < entry.similarity) at--;
  best.splice(at, 0, entry);
}
