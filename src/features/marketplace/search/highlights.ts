import { fold } from '../../registry/fold.ts';
import type { Listing } from '../shapes.ts';
import { isDense, tokens } from './tokens.ts';

/** Where in what is shown the terms stand: places, never markup, so that nobody has to trust it. */

export interface Highlight {
  field: string;
  /** First and one past the last UTF-16 code unit of each, ascending, none overlapping. */
  ranges: [number, number][];
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const MOST_RANGES = 32;
/** What stands further in is hardly shown. */
const MOST_TEXT = 1_200;

export function highlightsOf({ name, description, author, tags }: Listing, terms: ReadonlySet<string>): Highlight[] {
  const fields: [string, string][] = [
    ['name', name],
    ['description', description],
    ['author', author],
    ...tags.map((tag, at): [string, string] => [`tags/${at}`, tag]),
  ];
  return fields
    .map(([field, text]) => ({ field, ranges: rangesIn(text, terms) }))
    .filter(({ ranges }) => ranges.length > 0);
}

function rangesIn(text: string, terms: ReadonlySet<string>): [number, number][] {
  return PLAIN.test(text) ? plainRanges(text, terms) : foldedRanges(text, terms);
}

/** Beside plain letters only signs, none of which is a letter, a digit or a mark. */
const PLAIN = /^[\x20-\x7e\n\r\t\u2000-\u206f\u2190-\u245f\u2500-\u26ff]*$/;

/** The same of a text in which a letter is a letter. */
function plainRanges(text: string, terms: ReadonlySet<string>): [number, number][] {
  const ranges: [number, number][] = [];
  const lower = text.slice(0, MOST_TEXT).toLowerCase();
  for (let start = 0, at = 0; at <= lower.length && ranges.length < MOST_RANGES; at++) {
    if (isPlainLetter(lower.charCodeAt(at))) continue;
    if (at > start && terms.has(lower.slice(start, at))) ranges.push([start, at]);
    start = at + 1;
  }
  return ranges;
}

const isPlainLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

function foldedRanges(text: string, terms: ReadonlySet<string>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { 0: run, index } of text.slice(0, MOST_TEXT).matchAll(RUN)) {
    if (ranges.length >= MOST_RANGES) break;
    if (terms.has(run.toLowerCase())) ranges.push([index, index + run.length]);
    else if (!/^[\x20-\x7e]*$/.test(run)) ranges.push(...rangesInRun(run, index, terms));
  }
  return ranges;
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
