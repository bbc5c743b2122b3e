import { remembered } from '#core/text/text-cache.ts';
import { bitWords, setBit } from '../index/bitset.ts';
import type { Segment } from '../index/segment.ts';
import { firstNotBefore, textAt } from '../index/term-dictionary.ts';
import type { Reader } from './reader.ts';
import { type Rows, rowsOfList, rowsOfSet } from './row-set.ts';

/** Rows by the parts of their names. */

/** With exactly this part (folded). */
export const rowsNamed = (reader: Reader, part: string): Rows =>
  remembered(reader.known, `named ${part}`, () => {
    const { partBytes, partAt } = reader.segment;
    const at = textAt(partBytes, partAt, Buffer.from(part));
    return rowsOfParts(reader.segment, at, at < 0 ? at : at + 1);
  });

/** With a part that begins so. */
export const rowsNamedLike = (reader: Reader, start: string): Rows =>
  remembered(reader.known, `like ${start}`, () => {
    const { partBytes, partAt } = reader.segment;
    const first = Buffer.from(start);
    const from = firstNotBefore(partBytes, partAt, first);
    // No text in UTF-8 holds this byte, so all that begin alike stand before it.
    const to = firstNotBefore(partBytes, partAt, Buffer.concat([first, Buffer.of(0xff)]));
    return rowsOfParts(reader.segment, from, to);
  });

/** Parts that follow one another have their rows one after another. */
function rowsOfParts(segment: Segment, from: number, to: number): Rows {
  const { partRows, partRowsAt, count } = segment;
  const rows = to <= from ? partRows.subarray(0, 0) : partRows.subarray(partRowsAt[from], partRowsAt[to]);
  if (to - from <= 1) return rowsOfList(segment, rows);
  const set = new Int32Array(bitWords(count));
  for (let i = 0; i < rows.length; i++) setBit(set, rows[i] as number);
  return rowsOfSet(segment, set);
}
