import type { Item } from '#catalog/items/item.ts';
import { type TextCache, textCache } from '#core/text/text-cache.ts';
import { bufferOver } from '../index/arrays.ts';
import { bitWords } from '../index/bitset.ts';
import type { Positions, RegistryState } from '../index/delta.ts';
import { type RowSorter, rowSorter } from '../index/row-sorter.ts';
import { readItem, type Segment } from '../index/segment.ts';
import { mostListed, type RowSet } from './row-set.ts';

/** One state of an index, ready to be read by one thread. */
export interface ListView {
  version: string;
  base: SegmentReader;
  deleted: Int32Array | null;
  delta: { reader: SegmentReader; positions: Positions } | null;
}

/** A segment and what the reading thread keeps beside it, as long as the segment is in use. */
export interface SegmentReader {
  segment: Segment;
  /** Over the segment's packed JSON. */
  json: Buffer;
  /** Rows by condition. */
  cache: TextCache<RowSet>;
  /** Working memory. Its contents are valid until the reader's next query. */
  scratch: { set: Int32Array; list: Int32Array; page: Int32Array };
  sorter: RowSorter;
}

/** The cache's limit in bytes per listing: room for 512 conditions with many rows in all four orders. */
const CACHE_BYTES = 256;
const LEAST_CACHE_BYTES = 65_536;
const ENTRY_BYTES = 256;
/** Longer pages get their own memory. */
const PAGE = 256;

function readerOf(segment: Segment): SegmentReader {
  const { count, json } = segment;
  return {
    segment,
    json: bufferOver(json),
    cache: textCache({
      most_bytes: Math.max(LEAST_CACHE_BYTES, count * CACHE_BYTES),
      bytesOf: ({ bytes }) => bytes + ENTRY_BYTES,
    }),
    scratch: {
      set: new Int32Array(bitWords(count)),
      list: new Int32Array(mostListed(segment)),
      page: new Int32Array(PAGE),
    },
    sorter: rowSorter(count),
  };
}

/** Keeps the reader of the base, with its cache, if the base is the same. */
export function listViewOf({ base, deleted, delta, version }: RegistryState, before: ListView | null): ListView {
  const isSameBase = before !== null && before.base.segment.json.buffer === base.json.buffer;
  return {
    version,
    base: isSameBase ? before.base : readerOf(base),
    deleted,
    delta: delta === null ? null : { reader: readerOf(delta.segment), positions: delta.positions },
  };
}

/** A hit is a row of the base, or `-1 - row` for a row of the delta. */
export const rowOfHit = (hit: number): number => (hit >= 0 ? hit : -1 - hit);

export const readerOfHit = (view: ListView, hit: number): SegmentReader =>
  hit >= 0 ? view.base : (view.delta as NonNullable<ListView['delta']>).reader;

export const itemOfHit = (view: ListView, hit: number): Item => readItem(readerOfHit(view, hit).segment, rowOfHit(hit));

export const itemsOf = (view: ListView, hits: Int32Array): Item[] => Array.from(hits, (hit) => itemOfHit(view, hit));
