import type { Item } from '#catalog/items/item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { bufferOver } from './arrays.ts';
import { bitWords } from './bitset.ts';
import type { FrequentTerms, Grams, WordRows, Words } from './ngrams.ts';
import type { PackedJson } from './packed-json.ts';
import { unpackRow } from './unpack.ts';

/**
 * An immutable index over `count` listings in flat arrays that all threads share. Rows are in order of `downloads`, so that the default
 * page is one run of bytes. `xAt[i]..xAt[i+1]` is the share of entry i in array x. The packed JSON of a row ends with a comma.
 */
export interface Segment extends Words, WordRows, Grams, FrequentTerms, PackedJson {
  count: number;
  /** Sort keys. Times are in milliseconds, or -Infinity. */
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
  /** A bitset per value, in the order of PROVIDERS, LISTING_TYPES and EXECUTION_CLASSES. */
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
  /** N-grams of the words, ascending, and the words that contain them. */
  grams: Int32Array;
  gramWordsAt: Uint32Array;
  gramWords: Int32Array;
  /** How to install each listing, in a few words (install-hint.ts), in row order. */
  hintBytes: Uint8Array;
  hintAt: Uint32Array;
  /** Precomputed rows of frequent short terms. */
  frequent: Int32Array;
  frequentSets: Int32Array;
  /** Rows by provider and external id (key-table.ts). */
  keyTable: Int32Array;
}

export const SORTS = ['downloads', 'stars', 'updated', 'name'] as const;
export type Sort = (typeof SORTS)[number];

export type SegmentArray = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** The arrays by name, always in the same order. */
export const segmentArrays = (segment: Segment): [string, SegmentArray][] =>
  Object.entries(segment).filter((entry): entry is [string, SegmentArray] => typeof entry[1] !== 'number');

/** Bytes of all arrays among the values. */
export const bytesOfArrays = (values: object): number =>
  Object.values(values).reduce((sum, value) => (ArrayBuffer.isView(value) ? sum + value.byteLength : sum), 0);

/** The sort orders other than that of the rows. */
export type OtherSort = Exclude<Sort, 'downloads'>;

export const rankByRow = (segment: Segment, sort: OtherSort): Int32Array =>
  sort === 'stars' ? segment.starsRank : sort === 'updated' ? segment.updatedRank : segment.nameRank;

export const rowByRank = (segment: Segment, sort: OtherSort): Int32Array =>
  sort === 'stars' ? segment.starsOrder : sort === 'updated' ? segment.updatedOrder : segment.nameOrder;

/** The values of the enumerated fields, by the array that has their bitsets. */
export const ENUM_VALUES = { providers: PROVIDERS, types: LISTING_TYPES, classes: EXECUTION_CLASSES } as const;

/** The rows of one value; undefined for a value that is not enumerated. */
export function enumSet(segment: Segment, field: keyof typeof ENUM_VALUES, value: string): Int32Array | undefined {
  const at = (ENUM_VALUES[field] as readonly string[]).indexOf(value);
  return at < 0 ? undefined : setAt(segment[field], at, segment.count);
}

/** The `at`th of several bitsets over `count` rows that follow one another. */
export const setAt = (sets: Int32Array, at: number, count: number): Int32Array =>
  sets.subarray(at * bitWords(count), (at + 1) * bitWords(count));

/** The row's JSON, parsed. */
export const readJson = <T>(segment: Segment, row: number): T => JSON.parse(unpackRow(segment, row).slice(0, -1));

export const readItem = (segment: Segment, row: number): Item => readJson<Item>(segment, row);

export const readHint = ({ hintBytes, hintAt }: Segment, row: number): string =>
  bufferOver(hintBytes).toString('utf8', hintAt[row], hintAt[row + 1]);
