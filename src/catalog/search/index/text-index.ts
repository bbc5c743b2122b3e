import { hashOf } from '#core/text/text-cache.ts';
import { soundOf } from '../text/sound.ts';
import { sharedInts, sharedUints, sumUp } from './arrays.ts';
import { signatureOf, termsWithin } from './edit-distance.ts';
import type { WeightedTerm } from './field-weights.ts';
import { addWeightedTerms, invert, termCollector, termsByBytes } from './inverted-index.ts';
import { lowerBound } from './sorted-rows.ts';
import { findTerm, prefixRange, termText } from './term-dictionary.ts';

/**
 * Terms with weighted postings. A posting is a row and, beside it, `fields << 8 | value`: the fields that have the term, and its BM25F
 * value from 1 to 255. `xAt[i]..xAt[i+1]` is the share of entry i in array x.
 */
export interface TextIndex {
  /** In byte order of their UTF-8. */
  termBytes: Uint8Array;
  termAt: Uint32Array;
  /**
   * For edit distances: term numbers by length, those of `n` characters from `lengthAt[n]` to before `lengthAt[n + 1]`, and beside each
   * the signature of its letters.
   */
  byLength: Uint32Array;
  lengthAt: Uint32Array;
  signatures: Uint32Array;
  /** For words that sound alike: the hashes of all sounds, ascending, and beside each a term number. */
  sounds: Int32Array;
  soundTerms: Uint32Array;
  rowsAt: Uint32Array;
  /** Ascending within a term. */
  rows: Int32Array;
  weights: Uint16Array;
}

interface TextBuilder {
  /** The next document's terms, each once. */
  add(terms: readonly WeightedTerm[]): void;
  /** `rowOrder[row]` is the document's number, in the order of the `add` calls. */
  finish(rowOrder: Int32Array): TextIndex;
}

export function textBuilder(): TextBuilder {
  const collector = termCollector();
  return {
    add: (terms) => addWeightedTerms(collector, terms, ({ value, fields }) => (fields << 8) | value),
    finish(rowOrder) {
      const terms = termsByBytes(collector);
      const { bytes, at, rowsAt, rows, weights } = invert(collector, terms, rowOrder);
      return { termBytes: bytes, termAt: at, ...orderByLength(terms), ...orderBySound(terms), rowsAt, rows, weights };
    },
  };
}

function orderByLength(terms: readonly string[]) {
  const longest = terms.reduce((most, { length }) => Math.max(most, length), 0);
  const lengthAt = sharedUints(longest + 2);
  for (const { length } of terms) lengthAt[length + 1] = (lengthAt[length + 1] as number) + 1;
  sumUp(lengthAt);
  const next = lengthAt.slice();
  const byLength = sharedUints(terms.length);
  const signatures = sharedUints(terms.length);
  terms.forEach((term, i) => {
    const place = next[term.length] as number;
    next[term.length] = place + 1;
    byLength[place] = i;
    signatures[place] = signatureOf(term);
  });
  return { byLength, lengthAt, signatures };
}

function orderBySound(terms: readonly string[]) {
  const heard = terms.flatMap((term, number) => {
    const sound = soundOf(term);
    return sound === '' ? [] : [{ hash: hashOf(sound) | 0, number }];
  });
  heard.sort((a, b) => a.hash - b.hash || a.number - b.number);
  const [sounds, soundTerms] = [sharedInts(heard.length), sharedUints(heard.length)];
  heard.forEach(({ hash, number }, i) => {
    sounds[i] = hash;
    soundTerms[i] = number;
  });
  return { sounds, soundTerms };
}

/** What a segment has of a term, or of several terms together: `rows` and `weights` from `from` to before `to`. */
export interface Postings {
  /** Ascending. */
  rows: Int32Array;
  weights: Uint16Array;
  from: number;
  to: number;
}

const NO_POSTINGS: Postings = { rows: new Int32Array(0), weights: new Uint16Array(0), from: 0, to: 0 };

/** Of several terms, the rows that have all of them, each with the least of their values. */
export function postingsOf(index: TextIndex, terms: readonly string[]): Postings {
  const numbers = terms.map((term) => findTerm(index.termBytes, index.termAt, term));
  if (numbers.includes(-1)) return NO_POSTINGS;
  const [first, ...others] = numbers
    .map((number) => postingsAt(index, number))
    .sort((a, b) => a.to - a.from - (b.to - b.from));
  return others.reduce(intersect, first ?? NO_POSTINGS);
}

export const postingsAt = ({ rows, weights, rowsAt }: TextIndex, term: number): Postings => ({
  rows,
  weights,
  from: rowsAt[term] as number,
  to: rowsAt[term + 1] as number,
});

function intersect(fewer: Postings, more: Postings): Postings {
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
    weights[count++] = lesser(fewer.weights[i] as number, more.weights[at] as number);
  }
  return { rows: rows.slice(0, count), weights: weights.slice(0, count), from: 0, to: count };
}

/** The smaller value, in the fields that have both. */
const lesser = (a: number, b: number): number => (a & b & 0xff00) | Math.min(a & 255, b & 255);

export interface FoundTerm {
  term: string;
  number: number;
  /** In how many documents it is, for the caller to fill in. */
  count: number;
}

export function termsStartingWith({ termBytes, termAt }: TextIndex, start: string): FoundTerm[] {
  const [from, to] = prefixRange(termBytes, termAt, start);
  const found: FoundTerm[] = [];
  for (let number = from; number < to; number++)
    found.push({ term: termText(termBytes, termAt, number), number, count: 0 });
  return found;
}

/** Terms within an edit distance, with their distance. */
export function termsNear(index: TextIndex, term: string, most: number): (FoundTerm & { distance: number })[] {
  return Array.from(termsWithin(index, term, most), ({ number, distance }) => ({
    term: termText(index.termBytes, index.termAt, number),
    number,
    count: 0,
    distance,
  }));
}

/** Other terms that sound like this one. */
export function termsSounding(index: TextIndex, term: string): FoundTerm[] {
  const found: FoundTerm[] = [];
  const sound = soundOf(term);
  if (sound === '') return found;
  const { sounds, soundTerms } = index;
  const hash = hashOf(sound) | 0;
  for (let i = lowerBound(sounds, hash); sounds[i] === hash; i++) {
    const number = soundTerms[i] as number;
    const other = termText(index.termBytes, index.termAt, number);
    if (other !== term && soundOf(other) === sound) found.push({ term: other, number, count: 0 });
  }
  return found;
}
