import { LRUCache } from 'lru-cache';
import { bitWords } from './bits.ts';
import { mostFew, type Rows, rowsBytes } from './rows.ts';
import type { Segment } from './segment.ts';

/** A segment with what the reading thread keeps beside it. It lives as long as the segment is in use. */
export interface Reader {
  segment: Segment;
  json: Buffer;
  /** Rows by condition. */
  known: LRUCache<string, Rows>;
  /** Two sets and a list to work in: valid until the reader's next query. */
  scratch: { sets: [Int32Array, Int32Array]; list: Int32Array };
}

/** At most so many bytes a listing are kept in `known`. */
const KNOWN_BYTES = 192;
const LEAST_KNOWN_BYTES = 65_536;

export function readerOf(segment: Segment): Reader {
  const { count, json } = segment;
  const words = bitWords(count);
  return {
    segment,
    json: Buffer.from(json.buffer, json.byteOffset, json.byteLength),
    known: new LRUCache({
      maxSize: Math.max(LEAST_KNOWN_BYTES, count * KNOWN_BYTES),
      sizeCalculation: rowsBytes,
    }),
    scratch: { sets: [new Int32Array(words), new Int32Array(words)], list: new Int32Array(mostFew(segment)) },
  };
}

/** Finds the rows once, and again when they were pushed out. */
export function knownRows({ known }: Reader, key: string, findRows: () => Rows): Rows {
  let rows = known.get(key);
  if (rows === undefined) {
    rows = findRows();
    known.set(key, rows);
  }
  return rows;
}
