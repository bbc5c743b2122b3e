import { type TextCache, textCache } from '#core/text/text-cache.ts';
import { bitWords } from '../index/bitset.ts';
import type { Segment } from '../index/segment.ts';
import { newSorter, type Sorter } from './rank-sorter.ts';
import { mostFew, type Rows } from './row-set.ts';

/** A segment with what the reading thread keeps beside it. It lives as long as the segment is in use. */
export interface Reader {
  segment: Segment;
  json: Buffer;
  /** Rows by condition. */
  known: TextCache<Rows>;
  /** To work in: valid until the reader's next query. */
  scratch: { set: Int32Array; list: Int32Array; page: Int32Array };
  sorter: Sorter;
}

/** So many bytes a listing are kept in `known` at most: room for 512 conditions with many rows in all four orders. */
const KNOWN_BYTES = 256;
const LEAST_KNOWN_BYTES = 65_536;
const ENTRY_BYTES = 256;
/** Longer ones get memory of their own. */
const PAGE = 256;

export function readerOf(segment: Segment): Reader {
  const { count, json } = segment;
  return {
    segment,
    json: Buffer.from(json.buffer, json.byteOffset, json.byteLength),
    known: textCache({
      most_bytes: Math.max(LEAST_KNOWN_BYTES, count * KNOWN_BYTES),
      bytesOf: ({ bytes }) => bytes + ENTRY_BYTES,
    }),
    scratch: {
      set: new Int32Array(bitWords(count)),
      list: new Int32Array(mostFew(segment)),
      page: new Int32Array(PAGE),
    },
    sorter: newSorter(count),
  };
}
