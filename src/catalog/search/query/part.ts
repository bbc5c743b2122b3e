import { bitWords, hasBit } from '../index/bitset.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { BIT_WORDS } from '../index/facet-bits.ts';
import type { Postings, TextIndex } from '../index/text-index.ts';

/** Texts with their terms, and which of them are deleted. */
export interface TextPart {
  /** Its place among the parts. */
  at: number;
  segment: { count: number; text: TextIndex };
  deleted: Int32Array | null;
}

/** The base or the delta of a view, with the memory that the reading thread works in. */
export interface Part extends TextPart {
  /** 0 for the base, 1 for the delta. */
  at: number;
  segment: CapabilitySegment;
  /** Rows that share their text with other rows of the view, as bits. */
  copied: Int32Array;
  scratch: Scratch;
}

/** `candidates`, `cells` and all counts are zeros between two uses. */
interface Scratch {
  /** Rows that can match, as bits, and for each word of bits how many candidates come before it. */
  candidates: Int32Array;
  before: Int32Array;
  /** Four numbers per candidate, in order: SUM, COVERED, VALUE and MARKS of score.ts. */
  cells: Float32Array;
  /** The same memory. */
  marks: Int32Array;
  /** The matching rows, ascending, and the score of each. */
  rows: Int32Array;
  scores: Float32Array;
  /**
   * Matches by combination of facet values and by tag, and the combinations and tags whose count is above 0. A combination counts in one
   * of `AGES` places, by its age (filter.ts).
   */
  combinationCounts: Int32Array;
  combinations: Int32Array;
  tagCounts: Int32Array;
  tags: Int32Array;
  /**
   * Matches with one text, in the place of its leader (copies.ts): how many, the best score, and which one is shown. `groups` has the
   * leaders with a count.
   */
  groupSizes: Int32Array;
  groupBest: Float32Array;
  groupFront: Int32Array;
  groups: Int32Array;
  groupCount: number;
}

export const CELL = 4;
/** Updated within 30 days, within a year, and before. */
export const AGES = 3;

export function partOf(at: number, segment: CapabilitySegment, deleted: Int32Array | null): Part {
  return { at, segment, deleted, copied: segment.copied, scratch: newScratch(segment) };
}

function newScratch({ count, list, combinationBits }: CapabilitySegment): Scratch {
  const combinations = (combinationBits.length / BIT_WORDS) * AGES;
  const cells = new Float32Array(count * CELL);
  const ints = (length: number) => new Int32Array(length);
  return {
    candidates: ints(bitWords(count)),
    before: ints(bitWords(count)),
    cells,
    marks: new Int32Array(cells.buffer),
    rows: ints(count),
    scores: new Float32Array(count),
    combinationCounts: ints(combinations),
    combinations: ints(combinations),
    tagCounts: ints(list.tagAt.length),
    tags: ints(list.tagAt.length),
    groupSizes: ints(count),
    groupBest: new Float32Array(count),
    groupFront: ints(count),
    groups: ints(count),
    groupCount: 0,
  };
}

export function countLive({ segment: { count }, deleted }: TextPart): number {
  let live = count;
  if (deleted !== null) for (let row = 0; row < count; row++) if (hasBit(deleted, row)) live--;
  return live;
}

export function countLiveAmong({ deleted }: Pick<TextPart, 'deleted'>, { rows, from, to }: Postings): number {
  let live = to - from;
  if (deleted !== null) for (let i = from; i < to; i++) if (hasBit(deleted, rows[i] as number)) live--;
  return live;
}
