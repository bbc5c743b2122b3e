import { hasBit } from '../index/bitset.ts';
import { BLOCK, lengthOf, type VectorBlock, type Vectors } from '../index/vectors.ts';
import { dotProducts } from './dot-products.ts';

/** The rows whose vectors point most in the direction of a query's: an exact scan, meant for a separate thread. */

export interface NearestRequest extends Pick<Vectors, 'dimensions' | 'blocks'> {
  /** Of each kind of rows, such as capabilities and tools: the base and the delta. */
  kinds: readonly (readonly SlottedPart[])[];
  query: Int8Array;
  most: number;
}

/** The slot of each row; -1 without one. */
interface SlottedPart {
  slots: Int32Array;
  deleted: Int32Array | null;
}

/** The nearest first. A hit is a row of the base, or `-1 - row` for a row of the delta. */
export interface NearestHits {
  hits: Int32Array;
  /** Cosines. */
  similarities: Float32Array;
}

/** Of each kind. All vectors are compared once. */
export function nearestRows({ blocks, dimensions, kinds, query, most }: NearestRequest): NearestHits[] {
  const dots = dotProducts(blocks, dimensions, query);
  const inverse = 1 / lengthOf(query);
  return kinds.map((parts) => nearestIn(parts, { blocks, dots, inverse, most }));
}

interface Compared extends Pick<NearestRequest, 'blocks' | 'most'> {
  dots: ReturnType<typeof dotProducts>;
  /** 1 / the length of the query's vector. */
  inverse: number;
}

function nearestIn(parts: readonly SlottedPart[], { blocks, dots, inverse, most }: Compared): NearestHits {
  const best: { hit: number; similarity: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  parts.forEach(({ slots, deleted }, part) => {
    for (let row = 0; row < slots.length; row++) {
      const slot = slots[row] as number;
      if (slot < 0 || (deleted !== null && hasBit(deleted, row))) continue;
      const { inverses } = blocks[Math.floor(slot / BLOCK)] as VectorBlock;
      const similarity = (dots[slot] as number) * (inverses[slot % BLOCK] as number) * inverse;
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

/** Behind equal ones, so that ties keep the order of downloads. */
function insert<T extends { similarity: number }>(best: T[], entry: T, most: number): void {
  if (best.length === most) best.pop();
  let at = best.length;
  while (at > 0 && (best[at - 1] as T).similarity < entry.similarity) at--;
  best.splice(at, 0, entry);
}
