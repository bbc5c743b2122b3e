import { fold } from '#catalog/changes/fold.ts';

/** How texts and queries become terms: folded runs of letters and digits; scripts without spaces in pairs of characters. */

/** Scripts that put no space between words. */
const DENSE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}ー';
const RUN = new RegExp(`[${DENSE}]+|[[\\p{L}\\p{N}]--[${DENSE}]]+`, 'gv');
const IS_DENSE = new RegExp(`^[${DENSE}]`, 'v');
const PLAIN = /^[\x20-\x7e]*$/;
/** Longer runs are no words. */
const MOST_LENGTH = 40;

/** In order, with those that come again. Of one dense character alone that character, of more every two neighbours. */
export function tokens(text: string): string[] {
  if (PLAIN.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(cutLong);
  const found: string[] = [];
  // Composed again after folding, or a syllable of Hangul would be three letters.
  for (const run of fold(text.toWellFormed()).normalize('NFC').match(RUN) ?? [])
    if (IS_DENSE.test(run)) found.push(...pairs([...run]));
    else found.push(cutLong(run));
  return found;
}

const cutLong = (run: string): string => (run.length > MOST_LENGTH ? run.slice(0, MOST_LENGTH) : run);

const pairs = (characters: string[]): string[] =>
  characters.length === 1 ? characters : characters.slice(1).map((character, i) => `${characters[i]}${character}`);

export const isDense = (term: string): boolean => IS_DENSE.test(term);

/** What stands in a name after its owner, if one stands before: `io.github.ana/weather` is `weather`. */
export const ownName = (name: string): string => name.slice(name.lastIndexOf('/') + 1) || name;

/** Neighbouring words of a name written as one, so that `home assistant` and `homeassistant` meet. */
export function joined(terms: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 1; i < terms.length; i++) {
    const pair = `${terms[i - 1]}${terms[i]}`;
    if (pair.length <= MOST_JOINED && !isDense(pair)) found.push(pair);
  }
  return found;
}

const MOST_JOINED = 24;
