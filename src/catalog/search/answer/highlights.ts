import { fold } from '#catalog/changes/fold.ts';
import { isDense, tokens } from '../text/tokenize.ts';
import { type ItemText, itemTexts } from './json-fields.ts';
import { addLetter, isTerm, type TermSet, termSet } from './term-set.ts';

/** Where in what is shown the terms stand: places, never markup, so that nobody has to trust it. */

export interface Highlight {
  field: string;
  /** First and one past the last UTF-16 code unit of each, ascending, none overlapping. */
  ranges: [number, number][];
}

const MOST_RANGES = 32;
/** What stands further in is hardly shown. */
const MOST_TEXT = 1_200;

/** Of the item whose JSON begins at `start`. */
export type HighlightsOf = (json: Buffer, start: number) => Highlight[];

export function highlighter(terms: readonly string[]): HighlightsOf {
  const set = termSet(terms);
  let all: ReadonlySet<string> | undefined;
  const rangesIn = (json: Buffer, text: ItemText): [number, number][] => {
    const plain = plainRanges(json, text, set);
    if (plain !== null) return plain;
    all ??= new Set(terms);
    return foldedRanges(json, text, all);
  };
  return (json, start) => {
    const found: Highlight[] = [];
    for (const text of itemTexts(json, start)) {
      const ranges = rangesIn(json, text);
      const { name, place } = text;
      if (ranges.length > 0) found.push({ field: name === 'tags' ? `tags/${place}` : name, ranges });
    }
    return found;
  };
}

/** By byte: what a letter is in lower case, what a digit is, and 0 of everything else. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /^[a-z0-9]$/.test(letter) ? letter.charCodeAt(0) : 0;
});
const BACKSLASH = 0x5c;
const [FIRST_OF_MANY, U] = [0x80, 0x75];

/** Read from the bytes, which is most of the time that highlights take; null where other letters stand than plain ones. */
function plainRanges(json: Uint8Array, { from, to }: ItemText, terms: TermSet): [number, number][] | null {
  const ranges: [number, number][] = [];
  /** Bytes before the text, and those within that are no code units. */
  let more = from;
  let hash = 0;
  for (let at = from, start = from; ; at++) {
    const ends = at >= to || at - more >= MOST_TEXT;
    const byte = ends ? 0 : (json[at] as number);
    const letter = LETTERS[byte] as number;
    if (letter !== 0) {
      hash = addLetter(hash, letter);
      continue;
    }
    if (at > start && ranges.length < MOST_RANGES && isTerm(terms, hash, json, start, at))
      ranges.push([start - more, at - more]);
    if (ends) return ranges;
    if (byte === BACKSLASH || byte >= FIRST_OF_MANY) {
      const length = byte === BACKSLASH ? escapeBytes(json, at) : signBytes(json, at);
      if (length === 0) return null;
      at += length - 1;
      more += (length + 1) >> 1;
    }
    hash = 0;
    start = at + 1;
  }
}

/** Of an escape that is one code unit and no letter; 0 where it may be one. */
const escapeBytes = (json: Uint8Array, at: number): number => (json[at + 1] === U ? 0 : 2);

/** Of a sign, which is no part of a word and, where it has four bytes, two code units; 0 of what may be a letter, a digit or a mark. */
function signBytes(json: Uint8Array, at: number): number {
  const [first, second, third] = [json[at], json[at + 1] as number, json[at + 2] as number];
  // From U+1F300 to U+1FAFF: pictures.
  if (first === 0xf0) return second === 0x9f && third >= 0x8c && third < 0xac ? 4 : 0;
  if (first !== 0xe2) return 0;
  // From U+2000 on: punctuation; arrows, formulas and forms; boxes and symbols.
  const code = ((second & 0x3f) << 6) | (third & 0x3f);
  return code < 0x70 || (code >= 0x190 && code < 0x460) || (code >= 0x500 && code < 0x700) ? 3 : 0;
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The same of any text. */
function foldedRanges(json: Buffer, { from, to }: ItemText, terms: ReadonlySet<string>): [number, number][] {
  const text: string = JSON.parse(json.toString('utf8', from - 1, to + 1));
  const ranges: [number, number][] = [];
  for (const { 0: run, index } of text.slice(0, MOST_TEXT).matchAll(RUN)) {
    if (ranges.length >= MOST_RANGES) break;
    if (terms.has(run.toLowerCase())) ranges.push([index, index + run.length]);
    else if (SYLLABLES.test(run)) addPairs(ranges, run, index, terms);
    else if (!/^[\x20-\x7e]*$/.test(run)) ranges.push(...rangesInRun(run, index, terms));
  }
  return ranges;
}

/** Of scripts without spaces, what folding leaves as it is. */
const SYLLABLES = /^[\u4e00-\u9fff\uac00-\ud7a3]+$/;

function addPairs(ranges: [number, number][], run: string, start: number, terms: ReadonlySet<string>): void {
  for (let at = 0; at + 2 <= run.length; at++)
    if (terms.has(run.slice(at, at + 2))) extend(ranges, start + at, start + at + 2);
}

/** Of a run with more than plain letters: the whole where it folds to a term, or its pairs of dense characters. */
function rangesInRun(run: string, start: number, terms: ReadonlySet<string>): [number, number][] {
  const found = tokens(run);
  if (found.length === 1 && terms.has(found[0] as string)) return [[start, start + run.length]];
  const ranges: [number, number][] = [];
  let at = 0;
  let before: { folded: string; at: number } | null = null;
  for (const character of run) {
    const folded = fold(character).normalize('NFC');
    const end = start + at + character.length;
    const pair = before === null ? '' : `${before.folded}${folded}`;
    if (before !== null && isDense(folded) && terms.has(pair)) extend(ranges, start + before.at, end);
    // A mark that folds to nothing belongs to the character before it.
    if (folded !== '') before = { folded, at };
    at += character.length;
  }
  return ranges;
}

function extend(ranges: [number, number][], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && from <= last[1]) last[1] = to;
  else ranges.push([from, to]);
}
