import { bitWords } from './bitset.ts';
import type { ShownCapability } from './document.ts';
import type { Segment } from './segment.ts';
import { itemBytes, segmentBytes } from './segment.ts';
import type { TextIndex } from './text-index.ts';

/**
 * An immutable index over `count` capabilities in flat shared arrays. `list` is a segment of the catalogue: rows in order of
 * downloads, JSON, sort orders, substrings, types, classes and tags; the rest counts in the same rows.
 */
export interface CapabilitySegment {
  count: number;
  list: Segment;
  text: TextIndex;
  /** One set of rows after another, in the order of SOURCES: what each provider lists; one capability may be in several. */
  sources: Int32Array;
  /** What each row is, as a place in `traitBits`: the few combinations of traits that there are (traits.ts). */
  traits: Uint16Array;
  traitBits: Int32Array;
  /** Tag numbers of each row, as `list.tagAt` has them. */
  rowTagsAt: Uint32Array;
  rowTags: Int32Array;
  /** Of the folded name, hashed; and how many telling words it has. */
  nameKeys: Int32Array;
  nameLengths: Uint8Array;
  /** From 0 to 255: proof and popularity, and how many capabilities of one author have the same text (1 to 255). */
  priors: Uint8Array;
  copies: Uint8Array;
  /** How many listings it is made of, at most 255. */
  members: Uint8Array;
  /** Rows of skills that the service itself carries, ascending. */
  carried: Int32Array;
  /** Rows of flagged capabilities, ascending. */
  flagged: Int32Array;
  /** Hashes of folded ids, ascending, and their rows. */
  idHashes: Int32Array;
  idRows: Int32Array;
}

export function capabilitySegmentBytes(segment: CapabilitySegment): { list: number; search: number } {
  const { list, text, count: _, ...arrays } = segment;
  const search = [...Object.values(text), ...Object.values(arrays)].reduce((sum, array) => sum + array.byteLength, 0);
  return { list: segmentBytes(list), search };
}

/** The rows of the `at`th set. */
export const setAt = ({ count }: CapabilitySegment, sets: Int32Array, at: number): Int32Array =>
  sets.subarray(at * bitWords(count), (at + 1) * bitWords(count));

/** The JSON of a row. `Shown` is the type that its document was made with. */
export function wireAt<Shown extends ShownCapability = ShownCapability>(list: Segment, row: number): Shown {
  const bytes = itemBytes(list, row);
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Shown;
}
