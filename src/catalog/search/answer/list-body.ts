import type { Flagged } from '#catalog/items/flagged.ts';
import { findRow, keyOf } from '../index/key-table.ts';
import { bytesOfRow } from '../index/packed-json.ts';
import { unpackRows } from '../index/unpack.ts';
import type { ListPage } from '../query/list.ts';
import type { ListQuery } from '../query/list-query.ts';
import { type ListView, readerOfHit, rowOfHit } from '../query/list-view.ts';
import { bufferPool, type PooledBuffer, takeBuffer } from './buffer-pool.ts';

const pool = bufferPool();

const OPENING = '{"items":[';

/** Replaces the closing brace and the comma of an item. */
const FLAGGED = ',"flagged":true},';
const ENDING = '},';

/** A list's answer as JSON in UTF-8, from the packed JSON. Items among the `flagged` hits get a mark. */
export function listBody(
  view: ListView,
  { total_count, hits }: ListPage,
  { limit, offset }: Pick<ListQuery, 'limit' | 'offset'>,
  flagged: ReadonlySet<number> = NO_HITS,
): PooledBuffer {
  const closing = `],"total_count":${total_count},"limit":${limit},"offset":${offset}}`;
  const isEmpty = hits.length === 0;
  const bytes = OPENING.length + bytesOf(view, hits) + bytesOfMarks(hits, flagged) + closing.length;
  const answer = takeBuffer(pool, isEmpty ? bytes : bytes - 1);
  const body = answer.bytes;
  let at = body.write(OPENING, 'latin1');
  for (let from = 0; from < hits.length; ) {
    const to = endOfRun(hits, from, flagged);
    const run = hits.subarray(from, to);
    const first = run[0] as number;
    at = unpackRows(readerOfHit(view, first), first < 0 ? run.map(rowOfHit) : run, body, at);
    if (flagged.has(run.at(-1) as number)) at += body.write(FLAGGED, at - ENDING.length, 'latin1') - ENDING.length;
    from = to;
  }
  // Overwrites the last item's comma, which the copy has left out if the buffer ended there.
  body.write(closing, body.length - closing.length, 'latin1');
  return answer;
}

/** One past the hits of the same segment that are unpacked together. A flagged hit is the last, because its mark is written over it. */
function endOfRun(hits: Int32Array, from: number, flagged: ReadonlySet<number>): number {
  const isInBase = (hits[from] as number) >= 0;
  const endsRun = (hit: number): boolean => flagged.size > 0 && flagged.has(hit);
  let to = from + 1;
  while (to < hits.length && (hits[to] as number) >= 0 === isInBase && !endsRun(hits[to - 1] as number)) to++;
  return to;
}

function bytesOfMarks(hits: Int32Array, flagged: ReadonlySet<number>): number {
  if (flagged.size === 0) return 0;
  let count = 0;
  for (const hit of hits) if (flagged.has(hit)) count++;
  return count * (FLAGGED.length - ENDING.length);
}

const CACHE_LINE = 64;

/**
 * Also reads a byte of every cache line: many lines requested at once arrive sooner than one after another while copying. The processor
 * fetches the lines of neighbours in advance.
 */
function bytesOf(view: ListView, hits: Int32Array): number {
  let bytes = 0;
  let read = 0;
  for (let i = 0, before = -1; i < hits.length; i++) {
    const hit = hits[i] as number;
    const { segment, json } = readerOfHit(view, hit);
    const row = rowOfHit(hit);
    bytes += bytesOfRow(segment, row);
    if (hit !== before + 1) {
      const end = segment.jsonAt[row + 1] as number;
      for (let byte = segment.jsonAt[row] as number; byte < end; byte += CACHE_LINE) read ^= json[byte] as number;
    }
    before = hit;
  }
  // Never negative. Without a use, the engine could drop the reads.
  return read < 0 ? 0 : bytes;
}

const NO_HITS: ReadonlySet<number> = new Set();

/** Finds the hits of flagged listings, once for each state of the index and of the flags. */
export function flaggedHits(): (view: ListView, flagged: Flagged | undefined) => ReadonlySet<number> {
  let known: { view: ListView; flagged: Flagged; hits: ReadonlySet<number> } | null = null;
  return (view, flagged) => {
    if (flagged === undefined || flagged.places.length === 0) return NO_HITS;
    if (known?.view !== view || known.flagged !== flagged) known = { view, flagged, hits: hitsOf(view, flagged) };
    return known.hits;
  };
}

/** In both parts, because a deleted row of the base is on no page. */
function hitsOf({ base, delta }: ListView, { places }: Flagged): Set<number> {
  const hits = new Set<number>();
  for (const [providerId, externalId] of places) {
    const key = keyOf(providerId, externalId);
    const row = findRow(base.segment, key);
    if (row >= 0) hits.add(row);
    const other = delta === null ? -1 : findRow(delta.reader.segment, key);
    if (other >= 0) hits.add(-1 - other);
  }
  return hits;
}
