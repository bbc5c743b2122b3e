import { readFileSync } from 'node:fs';

/**
 * English words, so that a word which nothing listed has is not taken for a misspelled one. The list is that of SCOWL up to size 50,
 * American and British, words of at least four letters (english-words.licence.txt).
 */

/** Sorted, a line each. A set of them would take ten times the memory. */
let text: string | undefined;

export function isEnglish(word: string): boolean {
  text ??= readFileSync(new URL('./english-words.txt', import.meta.url), 'latin1');
  let [low, high] = [0, text.length];
  while (low < high) {
    const from = text.lastIndexOf('\n', ((low + high) >>> 1) - 1) + 1;
    const to = text.indexOf('\n', from);
    const found = text.slice(from, to);
    if (found === word) return true;
    if (found < word) low = to + 1;
    else high = from;
  }
  return false;
}
