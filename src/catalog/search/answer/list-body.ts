import type { ListQuery } from '../query/list-query.ts';
import { type Found, readerAt, type View } from '../query/registry-view.ts';
import { bufferPool, type PooledBuffer, takeBuffer } from './buffer-pool.ts';
import { NO_ROWS } from './flagged-rows.ts';

/** Puts the list's answer together from the listings' bytes. */

const pool = bufferPool();

const OPENING = '{"items":[';

/** In the place of the closing brace and comma of an item. */
const FLAGGED = ',"flagged":true},';
const ENDING = '},';

/** The whole answer as JSON in UTF-8; `flagged` rows say so. Neighbouring rows are copied in one go. */
export function bodyOf(
  view: View,
  { total_count, rows }: Found,
  { limit, offset }: ListQuery,
  flagged: ReadonlySet<number> = NO_ROWS,
): PooledBuffer {
  const closing = `],"total_count":${total_count},"limit":${limit},"offset":${offset}}`;
  const isEmpty = rows.length === 0;
  const bytes = OPENING.length + bytesOf(view, rows) + marks(rows, flagged) + closing.length;
  const answer = takeBuffer(pool, isEmpty ? bytes : bytes - 1);
  const body = answer.bytes;
  let at = body.write(OPENING, 'latin1');
  for (let i = 0; i < rows.length; ) {
    const first = rows[i++] as number;
    const { json, segment } = readerAt(view, first);
    const row = first >= 0 ? first : -1 - first;
    let end = row + 1;
    let last = first;
    for (; i < rows.length && first >= 0 && rows[i] === end && !flagged.has(last); i++) last = end++;
    at += json.copy(body, at, segment.jsonAt[row], segment.jsonAt[end]);
    if (flagged.has(last)) at += body.write(FLAGGED, at - ENDING.length, 'latin1') - ENDING.length;
  }
  // The last item's comma gives way to what follows it; a copy cut short at the end has left it out already.
  body.write(closing, body.length - closing.length, 'latin1');
  return answer;
}

/** How many bytes the marks of flagged rows add. */
function marks(rows: Int32Array, flagged: ReadonlySet<number>): number {
  if (flagged.size === 0) return 0;
  let count = 0;
  for (const row of rows) if (flagged.has(row)) count++;
  return count * (FLAGGED.length - ENDING.length);
}

const CACHE_LINE = 64;

/** Also reads a byte of every cache line: many fetched at once come sooner than one after another while copying. */
function bytesOf(view: View, rows: Int32Array): number {
  let bytes = 0;
  let read = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const { segment } = readerAt(view, row);
    const at = row >= 0 ? row : -1 - row;
    const start = segment.jsonAt[at] as number;
    const end = segment.jsonAt[at + 1] as number;
    for (let byte = start; byte < end; byte += CACHE_LINE) read ^= segment.json[byte] as number;
    bytes += end - start;
  }
  // Never true; without a use of what was read, the reads could be left out.
  return read < 0 ? 0 : bytes;
}
