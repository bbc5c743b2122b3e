import type { Flagged } from '#catalog/items/flagged.ts';
import { findRow, keyOf } from '../index/key-table.ts';
import type { ListPage } from '../query/list.ts';
import type { ListQuery } from '../query/list-query.ts';
import { type ListView, readerOfHit, rowOfHit } from '../query/list-view.ts';
import { bufferPool, type PooledBuffer, takeBuffer } from './buffer-pool.ts';

const pool = bufferPool();

const OPENING = '{"items":[';

/** Replaces the closing brace and the comma of an item. */
const FLAGGED = ',"flagged":true},';
const ENDING = '},';

/** A list's answer as JSON in UTF-8, copied from the stored JSON. Items among the `flagged` hits get a mark. */
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
  for (let i = 0; i < hits.length; ) {
    const first = hits[i++] as number;
    const { json, segment } = readerOfHit(view, first);
    const row = rowOfHit(first);
    let end = row + 1;
    let last = first;
    // Neighbouring rows are copied together.
    for (; i < hits.length && first >= 0 && hits[i] === end && !flagged.has(last); i++) last = end++;
    at += json.copy(body, at, segment.jsonAt[row], segment.jsonAt[end]);
    if (flagged.has(last)) at += body.write(FLAGGED, at - ENDING.length, 'latin1') - ENDING.length;
  }
  // Overwrites the last item's comma, which the copy has left out if the buffer ended there.
  body.write(closing, body.length - closing.length, 'latin1');
  return answer;
}

function bytesOfMarks(hits: Int32Array, flagged: ReadonlySet<number>): number {
  if (flagged.size === 0) return 0;
  let count = 0;
  for (const hit of hits) if (flagged.has(hit)) count++;
  return count * (FLAGGED.length - ENDING.length);
}

const CACHE_LINE = 64;

/** Also reads a byte of every cache line: many lines requested at once arrive sooner than one after another while copying. */
function bytesOf(view: ListView, hits: Int32Array): number {
  let bytes = 0;
  let read = 0;
  for (let i = 0; i < hits.length; i++) {
    const hit = hits[i] as number;
    const { segment } = readerOfHit(view, hit);
    const row = rowOfHit(hit);
    const start = segment.jsonAt[row] as number;
    const end = segment.jsonAt[row + 1] as number;
    for (let byte = start; byte < end; byte += CACHE_LINE) read ^= segment.json[byte] as number;
    bytes += end - start;
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
