import { fold } from '#catalog/changes/fold.ts';
import { isDense, tokenize } from '../text/tokenize.ts';
import { type JsonField, jsonFields } from './json-fields.ts';

/** Where the terms are in the shown texts. Offsets instead of markup, so that a client need not trust any HTML. */
export interface Highlight {
  field: string;
  /** The first UTF-16 code unit of each, and one past the last. Ascending, without overlap. */
  ranges: [number, number][];
}

const MOST_RANGES = 32;
/** Pages rarely show what comes later. */
const MOST_TEXT = 1_200;

/** Takes JSON and the offset of an item in it. */
type HighlightsOf = (json: Buffer, start: number) => Highlight[];

export function highlighter(terms: readonly string[]): HighlightsOf {
  const table = termTable(terms);
  let all: ReadonlySet<string> | undefined;
  const rangesIn = (json: Buffer, field: JsonField): [number, number][] => {
    const plain = plainRanges(json, field, table);
    if (plain !== null) return plain;
    all ??= new Set(terms);
    return foldedRanges(json, field, all);
  };
  return (json, start) => {
    const found: Highlight[] = [];
    for (const field of jsonFields(json, start)) {
      const ranges = rangesIn(json, field);
      const { name, at } = field;
      if (ranges.length > 0) found.push({ field: name === 'tags' ? `tags/${at}` : name, ranges });
    }
    return found;
  };
}

/** By byte: the lower case of a letter, a digit itself, and 0 for everything else. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /^[a-z0-9]$/.test(letter) ? letter.charCodeAt(0) : 0;
});
const BACKSLASH = 0x5c;
const [FIRST_MULTIBYTE, U] = [0x80, 0x75];

/** Reads the bytes of the JSON. Null if the text has letters outside ASCII. */
function plainRanges(json: Uint8Array, { from, to }: JsonField, terms: TermTable): [number, number][] | null {
  const ranges: [number, number][] = [];
  /** Bytes before the text, and bytes in it that are not code units. */
  let excess = from;
  let hash = 0;
  for (let at = from, start = from; ; at++) {
    const ends = at >= to || at - excess >= MOST_TEXT;
    const byte = ends ? 0 : (json[at] as number);
    const letter = LETTERS[byte] as number;
    if (letter !== 0) {
      hash = hashLetter(hash, letter);
      continue;
    }
    if (at > start && ranges.length < MOST_RANGES && isTerm(terms, hash, json, start, at))
      ranges.push([start - excess, at - excess]);
    if (ends) return ranges;
    if (byte === BACKSLASH || byte >= FIRST_MULTIBYTE) {
      const length = byte === BACKSLASH ? escapeLength(json, at) : symbolLength(json, at);
      if (length === 0) return null;
      at += length - 1;
      excess += (length + 1) >> 1;
    }
    hash = 0;
    start = at + 1;
  }
}

/** Bytes of an escape that is one code unit and not a letter; 0 if it may be a letter. */
const escapeLength = (json: Uint8Array, at: number): number => (json[at + 1] === U ? 0 : 2);

/** Bytes of a symbol that is not part of a word; one of four bytes is two code units. 0 if it may be a letter, a digit or an accent. */
function symbolLength(json: Uint8Array, at: number): number {
  const [first, second, third] = [json[at], json[at + 1] as number, json[at + 2] as number];
  // U+1F300 to U+1FAFF: emoji.
  if (first === 0xf0) return second === 0x9f && third >= 0x8c && third < 0xac ? 4 : 0;
  if (first !== 0xe2) return 0;
  // From U+2000: punctuation; arrows, formulas and shapes; boxes and symbols.
  const code = ((second & 0x3f) << 6) | (third & 0x3f);
  return code < 0x70 || (code >= 0x190 && code < 0x460) || (code >= 0x500 && code < 0x700) ? 3 : 0;
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The same for any text. */
function foldedRanges(json: Buffer, { from, to }: JsonField, terms: ReadonlySet<string>): [number, number][] {
  const text: string = JSON.parse(json.toString('utf8', from - 1, to + 1));
  const ranges: [number, number][] = [];
  for (const { 0: run, index } of text.slice(0, MOST_TEXT).matchAll(RUN)) {
    if (ranges.length >= MOST_RANGES) break;
    if (terms.has(run.toLowerCase())) ranges.push([index, index + run.length]);
    else if (UNFOLDED_DENSE.test(run)) addPairs(ranges, run, index, terms);
    else if (!/^[\x20-\x7e]*$/.test(run)) ranges.push(...rangesInRun(run, index, terms));
  }
  return ranges;
}

/** Characters of scripts without spaces that folding does not change. */
const UNFOLDED_DENSE = /^[\u4e00-\u9fff\uac00-\ud7a3]+$/;

function addPairs(ranges: [number, number][], run: string, start: number, terms: ReadonlySet<string>): void {
  for (let at = 0; at + 2 <= run.length; at++)
    if (terms.has(run.slice(at, at + 2))) extend(ranges, start + at, start + at + 2);
}

/** In a run outside ASCII: all of it if it folds to a term, or its pairs of dense characters. */
function rangesInRun(run: string, start: number, terms: ReadonlySet<string>): [number, number][] {
  const found = tokenize(run);
  if (found.length === 1 && terms.has(found[0] as string)) return [[start, start + run.length]];
  const ranges: [number, number][] = [];
  let at = 0;
  let before: { folded: string; at: number } | null = null;
  for (const character of run) {
    const folded = fold(character).normalize('NFC');
    const end = start + at + character.length;
    const pair = before === null ? '' : `${before.folded}${folded}`;
    if (before !== null && isDense(folded) && terms.has(pair)) extend(ranges, start + before.at, end);
    // An accent that folds to nothing belongs to the character before it.
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

/** A hash table of terms, looked up by the bytes of a word. Open addressing. */
interface TermTable {
  terms: readonly string[];
  /** By slot: the term's index + 1, or 0. */
  slots: Uint16Array;
  hashes: Int32Array;
}

/** Slots per term, so that most words meet an empty one. */
const SLOTS = 6;

function termTable(terms: readonly string[]): TermTable {
  const size = 2 ** Math.ceil(Math.log2(SLOTS * (terms.length + 1)));
  const [slots, hashes] = [new Uint16Array(size), new Int32Array(size)];
  for (let i = 0; i < terms.length; i++) {
    const hash = hashOf(terms[i] as string);
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = i + 1;
    hashes[slot] = hash;
  }
  return { terms, slots, hashes };
}

function hashOf(term: string): number {
  let hash = 0;
  for (let at = 0; at < term.length; at++) hash = hashLetter(hash, term.charCodeAt(at));
  return hash;
}

const hashLetter = (hash: number, letter: number): number => Math.imul(hash ^ letter, 0x01000193);

/** Whether the letters and digits from `from` to before `to` are a term, in any case. `hash` is that of their lower case. */
function isTerm(table: TermTable, hash: number, bytes: Uint8Array, from: number, to: number): boolean {
  const { terms, slots, hashes } = table;
  const last = slots.length - 1;
  for (let at = hash & last; slots[at] !== 0; at = (at + 1) & last)
    if (hashes[at] === hash && isSame(terms[(slots[at] as number) - 1] as string, bytes, from, to)) return true;
  return false;
}

/** The bit of a lower-case letter. Every digit has it too. */
const LOWER_CASE = 0x20;

function isSame(term: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (term.length !== to - from) return false;
  for (let i = 0; i < term.length; i++)
    if (term.charCodeAt(i) !== ((bytes[from + i] as number) | LOWER_CASE)) return false;
  return true;
}
