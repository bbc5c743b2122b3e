import type { TextIndex } from './text-index.ts';
import { findTerm } from './text-terms.ts';

/** What one part of the index has of a term, or of several together: those of `rows` and `weights` from `from` to before `to`. */
export interface Postings {
  /** Ascending. */
  rows: Int32Array;
  weights: Uint16Array;
  from: number;
  to: number;
}

const NONE: Postings = { rows: new Int32Array(0), weights: new Uint16Array(0), from: 0, to: 0 };

/** Of several terms what has all of them, as much as the least of them. */
export function postingsOf(text: TextIndex, terms: readonly string[]): Postings {
  const places = terms.map((term) => findTerm(text, term));
  if (places.includes(-1)) return NONE;
  const [first, ...others] = places.map((at) => postingsAt(text, at)).sort((a, b) => a.to - a.from - (b.to - b.from));
  return others.reduce(inBoth, first ?? NONE);
}

export const postingsAt = ({ rows, weights, rowsAt }: TextIndex, term: number): Postings => ({
  rows,
  weights,
  from: rowsAt[term] as number,
  to: rowsAt[term + 1] as number,
});

function inBoth(fewer: Postings, more: Postings): Postings {
  const rows = new Int32Array(fewer.to - fewer.from);
  const weights = new Uint16Array(rows.length);
  let count = 0;
  let at = more.from;
  for (let i = fewer.from; i < fewer.to; i++) {
    const row = fewer.rows[i] as number;
    while (at < more.to && (more.rows[at] as number) < row) at++;
    if (at === more.to) break;
    if (more.rows[at] !== row) continue;
    rows[count] = row;
    weights[count++] = both(fewer.weights[i] as number, more.weights[at] as number);
  }
  return { rows: rows.slice(0, count), weights: weights.slice(0, count), from: 0, to: count };
}

/** In the name only where both are. */
const both = (a: number, b: number): number => (a & b & 0xff00) | Math.min(a & 255, b & 255);
