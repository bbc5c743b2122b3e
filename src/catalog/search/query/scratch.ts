import { bitWords } from '../index/bitset.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';

/** Memory to work in, of one segment and one thread. `candidates`, `cells` and all counts are zeros between two uses. */
export interface Scratch {
  /** Rows that can match, as bits; by word, how many stand before it. */
  candidates: Int32Array;
  before: Int32Array;
  /** Four a candidate, in their order: SUM, COVERED, VALUE and MARKS of score.ts. */
  cells: Float32Array;
  /** The same memory. */
  marks: Int32Array;
  /** What was found, ascending, and the score of each. */
  rows: Int32Array;
  scores: Float32Array;
  /** How many of what was found have each combination of traits and each tag, and those of them that any has. */
  traitCounts: Int32Array;
  traits: Int32Array;
  tagCounts: Int32Array;
  tags: Int32Array;
}

export const CELL = 4;

export function newScratch({ count, list, traitBits }: CapabilitySegment): Scratch {
  const cells = new Float32Array(count * CELL);
  const ints = (length: number) => new Int32Array(length);
  return {
    candidates: ints(bitWords(count)),
    before: ints(bitWords(count)),
    cells,
    marks: new Int32Array(cells.buffer),
    rows: ints(count),
    scores: new Float32Array(count),
    traitCounts: ints(traitBits.length),
    traits: ints(traitBits.length),
    tagCounts: ints(list.tagAt.length),
    tags: ints(list.tagAt.length),
  };
}
