import { fold } from '#catalog/changes/fold.ts';
import type { Term } from './terms.ts';

/** The part of a text around the first search word, on one line. Pure. */

const BEFORE = 40;
const MOST = 160;
/** Characters that are folded at a time. */
const PART = 1_000;
const MOST_TRIES = 1_000;

export function snippetOf(content: string, terms: readonly Term[]): string {
  const at = placeIn(content, terms);
  const from = at <= BEFORE ? 0 : startOfWord(content, at - BEFORE);
  const line = content
    .slice(from, from + MOST * 2)
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = line.length > MOST;
  const end = cut || from + MOST * 2 < content.length;
  return `${from > 0 ? '…' : ''}${(cut ? line.slice(0, MOST) : line).toWellFormed()}${end ? '…' : ''}`;
}

/** Text is folded only if necessary. */
function placeIn(content: string, terms: readonly Term[]): number {
  const lower = content.toLowerCase();
  // Lower case may be longer than the original; then offsets differ.
  const places = lower.length === content.length ? terms.map(({ word }) => wordAt(lower, word)) : [];
  const first = Math.min(...places.filter((place) => place >= 0));
  if (Number.isFinite(first)) return first;
  for (let from = 0; from < content.length; from += PART) {
    const part = content.slice(from, from + PART + MOST);
    const folded = fold(part);
    if (!terms.some(({ word }) => folded.includes(word))) continue;
    for (const match of part.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      const found = fold(match[0]);
      if (terms.some(({ word }) => found.includes(word))) return from + match.index;
    }
  }
  return 0;
}

/** The first place where the word starts; after many matches inside other words, the next match of any kind. */
function wordAt(lower: string, word: string): number {
  let at = lower.indexOf(word);
  for (let tried = 0; at > 0 && tried < MOST_TRIES; tried++) {
    if (!/[\p{L}\p{N}]/u.test(lower[at - 1] as string) || !/^[a-z0-9]/.test(word)) return at;
    at = lower.indexOf(word, at + 1);
  }
  return at;
}

function startOfWord(content: string, from: number): number {
  const space = content.slice(from, from + BEFORE).search(/\s/u);
  return space < 0 ? from : from + space + 1;
}
