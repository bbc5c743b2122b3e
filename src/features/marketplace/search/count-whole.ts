import { bitWords, popcount } from '../../registry/catalog/bits.ts';
import type { CapabilitySegment } from './segment.ts';
import type { IndexView, Part } from './view.ts';

/** How much the whole index holds. */
export interface Whole {
  capabilities: number;
  /** What they are made of. */
  listings: number;
  /** Of each of `kinds` sets that stand one after another. */
  setSizes(setsOf: (segment: CapabilitySegment) => Int32Array, kinds: number): number[];
}

export function countWhole({ base, delta, vocabulary }: IndexView): Whole {
  const parts = delta === null ? [base] : [base, delta];
  return {
    capabilities: vocabulary.count,
    listings: parts.reduce((sum, part) => sum + listingsIn(part), 0),
    setSizes: (setsOf, kinds) =>
      Array.from({ length: kinds }, (_, at) =>
        parts.reduce((sum, part) => sum + sizeOf(part, setsOf(part.segment), at), 0),
      ),
  };
}

function sizeOf({ segment: { count }, dead }: Part, sets: Int32Array, at: number): number {
  const words = bitWords(count);
  let size = 0;
  for (let w = 0; w < words; w++) {
    const word = sets[at * words + w] as number;
    if (word !== 0) size += popcount(dead === null ? word : word & ~(dead[w] as number));
  }
  return size;
}

function listingsIn({ segment: { members, count }, dead }: Part): number {
  let sum = 0;
  for (let row = 0; row < count; row++)
    if (dead === null || (((dead[row >>> 5] as number) >>> (row & 31)) & 1) === 0) sum += members[row] as number;
  return sum;
}
