import { fold } from '#catalog/changes/fold.ts';

/** Scripts without spaces between words. */
const DENSE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}ー';
const RUN = new RegExp(`[${DENSE}]+|[[\\p{L}\\p{N}]--[${DENSE}]]+`, 'gv');
const IS_DENSE = new RegExp(`^[${DENSE}]`, 'v');
const PLAIN = /^[\x20-\x7e]*$/;
const SPACED = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}';
/** Soft hyphens, zero-width spaces and joiners that texts bring along from pages. Scripts without spaces mean something by them. */
const INVISIBLE = new RegExp(`(?<=[${SPACED}])[\\u00ad\\u200b\\u200d\\u2060\\ufeff]+(?=[${SPACED}])`, 'gu');
/** Longer runs are not words. */
const MOST_LENGTH = 40;

/**
 * The terms of a text or query, in order and with duplicates: folded runs of letters and digits. In scripts without spaces each pair of
 * neighbouring characters is a term, and a single character alone.
 */
export function tokenize(text: string): string[] {
  if (PLAIN.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(truncate);
  return runsOf(text).flatMap((run) => (isDense(run) ? pairsOf(run) : run));
}

/** Folded runs of letters and digits, none of two kinds of script. */
export function runsOf(text: string): string[] {
  // NFC after folding, because folding decomposes a Hangul syllable into three letters.
  const runs = fold(text.toWellFormed()).replace(INVISIBLE, '').normalize('NFC').match(RUN) ?? [];
  return runs.map((run) => (isDense(run) ? run : truncate(run)));
}

const truncate = (run: string): string => (run.length > MOST_LENGTH ? run.slice(0, MOST_LENGTH) : run);

/** Of a run in a script without spaces. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

export const isDense = (term: string): boolean => IS_DENSE.test(term);

/** A name without its owner: `io.github.ana/weather` is `weather`. */
export const ownName = (name: string): string => name.slice(name.lastIndexOf('/') + 1) || name;

/** Neighbouring terms written as one, so that `home assistant` matches `homeassistant`. */
export function joinNeighbours(terms: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 1; i < terms.length; i++) {
    const pair = `${terms[i - 1]}${terms[i]}`;
    if (pair.length <= MOST_JOINED && !isDense(pair)) found.push(pair);
  }
  return found;
}

const MOST_JOINED = 24;
