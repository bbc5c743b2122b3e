import { fold } from '#catalog/changes/fold.ts';

/** The search terms of a text. Words are folded as in the registry: case and accents do not matter. Pure. */

const MOST_WORDS = 5_000;
const MOST_TERMS = 10;
/** A longer word is known by its beginning. */
const MOST_LETTERS = 32;
const MOST_WEIGHT = 10;
const IN_PATH = 8;

/** Scripts without spaces between words: each place of such a text begins a word of a few letters. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const RUNS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const WINDOW = 4;

export interface Term {
  word: string;
  /** Whether longer words count too. One or two plain letters begin too many of them. */
  begins: boolean;
}

/** Each word with its weight: its frequency, and more if it is in the path. At most 5,000 different words. */
export function wordsOf(path: string, content: string): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (word: string, weight: number) => {
    const before = weights.get(word);
    if (before !== undefined) weights.set(word, Math.min(before + weight, IN_PATH + MOST_WEIGHT));
    else weights.set(word, weight);
  };
  for (const word of indexed(path)) if (!weights.has(word)) add(word, IN_PATH);
  for (const word of indexed(content)) {
    if (weights.size >= MOST_WORDS) break;
    add(word, 1);
  }
  return weights;
}

function* indexed(text: string): Generator<string> {
  for (const [run] of fold(text).matchAll(RUNS)) {
    const letters = [...run];
    if (!IS_UNSPACED.test(run)) yield cut(letters);
    else for (let at = 0; at < letters.length; at++) yield letters.slice(at, at + WINDOW).join('');
  }
}

/** The terms that must all match. */
export function termsOf(query: string): Term[] {
  const terms = new Map<string, Term>();
  for (const [run] of fold(query.toWellFormed()).matchAll(RUNS)) {
    const letters = [...run];
    const words = IS_UNSPACED.test(run)
      ? Array.from({ length: Math.max(1, letters.length - WINDOW + 1) }, (_, at) =>
          letters.slice(at, at + WINDOW).join(''),
        )
      : [cut(letters)];
    for (const word of words) terms.set(word, { word, begins: !/^[\x20-\x7e]{1,2}$/.test(word) });
  }
  return [...terms.values()].slice(0, MOST_TERMS);
}

const cut = (letters: readonly string[]): string => letters.slice(0, MOST_LETTERS).join('');
