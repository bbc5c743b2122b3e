import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';

/**
 * An immutable index over `count` listings in flat shared arrays: what one thread builds, all threads read.
 * Rows are numbered in `downloads` order, so that the default page is one run of bytes. `xAt[i]..xAt[i+1]` is the
 * share of entry i in array x.
 */
export interface Segment {
  count: number;
  /** Items as JSON in UTF-8, each with a comma after it, in row order. At most 4 GiB. */
  json: Uint8Array;
  jsonAt: Uint32Array;
  /** Sort keys; the time is in milliseconds, -Infinity where there is none. */
  downloads: Float64Array;
  stars: Float64Array;
  updated: Float64Array;
  /** Row by rank, and rank by row, of the three other sort orders. */
  starsOrder: Int32Array;
  starsRank: Int32Array;
  updatedOrder: Int32Array;
  updatedRank: Int32Array;
  nameOrder: Int32Array;
  nameRank: Int32Array;
  /** One set of rows after another, in the order of PROVIDERS, LISTING_TYPES and EXECUTION_CLASSES. */
  providers: Int32Array;
  types: Int32Array;
  classes: Int32Array;
  /** Folded tags in byte order, and their rows. */
  tagBytes: Uint8Array;
  tagAt: Uint32Array;
  tagRowsAt: Uint32Array;
  tagRows: Int32Array;
  /** Folded words of name, description and author, and their rows. */
  wordBytes: Uint8Array;
  wordAt: Uint32Array;
  wordRowsAt: Uint32Array;
  wordRows: Int32Array;
  /** Three bytes from each character of a word on (zeros after its end), ascending, and the words that hold them. */
  grams: Int32Array;
  gramWordsAt: Uint32Array;
  gramWords: Int32Array;
  /** Folded parts of names in byte order, and their rows. */
  partBytes: Uint8Array;
  partAt: Uint32Array;
  partRowsAt: Uint32Array;
  partRows: Int32Array;
  /** One set of rows after another: those whose names have one part, two, up to `MOST_NAME_PARTS`. */
  nameSizes: Int32Array;
  /** How each is had, in a few words (install-hint.ts), in row order. */
  hintBytes: Uint8Array;
  hintAt: Uint32Array;
  /** Short terms that very many listings hold: `length << 24 | first three bytes`, ascending, and their sets of rows. */
  frequent: Int32Array;
  frequentSets: Int32Array;
  /** Open-addressing table of row + 1 by the hash of provider and external id. */
  keyTable: Int32Array;
}

/** Longer names are not told apart by their length. */
export const MOST_NAME_PARTS = 6;

export const SORTS = ['downloads', 'stars', 'updated', 'name'] as const;
export type Sort = (typeof SORTS)[number];

export type SegmentArray = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** The arrays by name, in one order; what a snapshot holds. */
export const segmentArrays = (segment: Segment): [string, SegmentArray][] =>
  Object.entries(segment).filter((entry): entry is [string, SegmentArray] => typeof entry[1] !== 'number');

export const segmentBytes = (segment: Segment): number =>
  segmentArrays(segment).reduce((sum, [, array]) => sum + array.byteLength, 0);

/** The orders in which the rows do not stand. */
export type OtherSort = Exclude<Sort, 'downloads'>;

export const rankByRow = (segment: Segment, sort: OtherSort): Int32Array =>
  sort === 'stars' ? segment.starsRank : sort === 'updated' ? segment.updatedRank : segment.nameRank;

export const rowByRank = (segment: Segment, sort: OtherSort): Int32Array =>
  sort === 'stars' ? segment.starsOrder : sort === 'updated' ? segment.updatedOrder : segment.nameOrder;

/** The value lists of the three closed fields, by the array that holds their sets. */
export const CLOSED_SETS = { providers: PROVIDERS, types: LISTING_TYPES, classes: EXECUTION_CLASSES } as const;

/** The rows of one value of a closed field; undefined for a value outside the list. */
export function closedSet(segment: Segment, field: keyof typeof CLOSED_SETS, value: string): Int32Array | undefined {
  const at = (CLOSED_SETS[field] as readonly string[]).indexOf(value);
  if (at < 0) return undefined;
  const words = segment[field].length / CLOSED_SETS[field].length;
  return segment[field].subarray(at * words, (at + 1) * words);
}

/** The row's item as JSON text in UTF-8, without the comma. */
export const itemBytes = (segment: Segment, row: number): Uint8Array =>
  segment.json.subarray(segment.jsonAt[row], (segment.jsonAt[row + 1] as number) - 1);
