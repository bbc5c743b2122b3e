import { bufferOver } from './arrays.ts';
import type { ShownCapability } from './document.ts';
import type { Resemblance } from './lookalikes.ts';
import type { Outlines } from './outline.ts';
import { bytesOfArrays, readJson, type Segment } from './segment.ts';
import { lowerBound } from './sorted-rows.ts';
import type { TextIndex } from './text-index.ts';
import type { CapabilityTools } from './tool-segment.ts';

/** An immutable index over `count` capabilities. All its parts have the same rows. */
export interface CapabilitySegment {
  count: number;
  /** Stored JSON, sort orders, substrings, types, classes and tags, as for listings. */
  list: Segment;
  text: TextIndex;
  /** Of servers whose tools are known. */
  tools: CapabilityTools;
  outlines: Outlines;
  /** A bitset per source, in the order of SOURCES. A capability may have several sources. */
  sources: Int32Array;
  /** Each row's number in `combinationBits`: the few combinations of facet values that occur (facet-bits.ts). */
  combinations: Uint32Array;
  /** `BIT_WORDS` numbers for each combination. */
  combinationBits: Int32Array;
  /** The last update that a provider reports, as days since 1970; 0 if none does. */
  updatedDays: Uint16Array;
  /** The tag numbers of each row, as in `list.tagAt`. */
  rowTagsAt: Uint32Array;
  rowTags: Int32Array;
  /** Hash of the normalized name, and its number of distinctive words. */
  nameKeys: Int32Array;
  nameLengths: Uint8Array;
  /** Proof and popularity from 0 to 255, and how many capabilities of the same author have the same text, from 1 to 255. */
  priors: Uint8Array;
  copies: Uint8Array;
  /** Rows whose exact name counts, as bits (costly-signal.ts). */
  proven: Int32Array;
  /** The first of all with the same text: a row of the base, or `-1 - row` of the delta (copies.ts). */
  leaders: Int32Array;
  /** Rows that share their text with others, as bits. */
  copied: Int32Array;
  /** Of several copies, the one with the highest number is shown (copies.ts). */
  fronts: Float64Array;
  /** Rows with names made to look like others, ascending, and for each what it looks like as JSON (lookalikes.ts). */
  marked: Int32Array;
  markAt: Int32Array;
  markBytes: Uint8Array;
  /** How many listings were merged, at most 255. */
  listings: Uint8Array;
  /** Rows of built-in skills, ascending. */
  builtIn: Int32Array;
  /** Rows of flagged capabilities, ascending. */
  flagged: Int32Array;
  /** Hashes of folded ids, ascending, and their rows. */
  idHashes: Int32Array;
  idRows: Int32Array;
}

export const capabilitySegmentBytes = (segment: CapabilitySegment): { list: number; search: number } => ({
  list: bytesOfArrays(segment.list),
  search:
    bytesOfArrays(segment) +
    bytesOfArrays(segment.text) +
    bytesOfArrays(segment.tools) +
    bytesOfArrays(segment.tools.text) +
    bytesOfArrays(segment.outlines),
});

/** The JSON of a row. `Shown` is the type that its document was made with. */
export const readCapability = <Shown extends ShownCapability = ShownCapability>(list: Segment, row: number): Shown =>
  readJson<Shown>(list, row);

/** What the name of a row looks like; null if it is like none of another author. */
export function readMark({ marked, markAt, markBytes }: CapabilitySegment, row: number): Resemblance | null {
  const at = lowerBound(marked, row);
  if (marked[at] !== row) return null;
  return JSON.parse(bufferOver(markBytes).toString('utf8', markAt[at], markAt[at + 1]));
}

/** Rows with the id of this hash (`idHash`). */
export function rowsWithId({ idHashes, idRows }: CapabilitySegment, id_hash: number): number[] {
  const rows: number[] = [];
  for (let at = lowerBound(idHashes, id_hash); idHashes[at] === id_hash; at++) rows.push(idRows[at] as number);
  return rows;
}
