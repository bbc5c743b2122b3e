import { bitWords, setBit } from './bitset.ts';
import type { Grams } from './ngrams.ts';
import { sharedInts } from './shared-arrays.ts';

/** Keeps the rows of short terms that very many listings hold, such as `a` or `ing`: gathering them anew is slow. */

export interface WordRows {
  wordRowsAt: Uint32Array;
  wordRows: Int32Array;
}

/** At most this many short terms, so at most 64 bytes a listing. */
const MOST = 512;

export function buildFrequent(
  grams: Grams,
  words: WordRows,
  count: number,
): { frequent: Int32Array; frequentSets: Int32Array } {
  const chosen = chooseTerms(grams, words, Math.max(2048, count / 8));
  const slotOf = new Map(chosen.map((key, slot) => [key, slot]));
  const length = bitWords(count);
  const frequentSets = sharedInts(chosen.length * length);
  for (let g = 0; g < grams.grams.length; g++) {
    for (const key of prefixKeys(grams.grams[g] as number)) {
      const slot = slotOf.get(key);
      if (slot !== undefined) addRows(frequentSets.subarray(slot * length, (slot + 1) * length), g, grams, words);
    }
  }
  const frequent = sharedInts(chosen.length);
  frequent.set(chosen);
  return { frequent, frequentSets };
}

function chooseTerms({ grams, gramWordsAt, gramWords }: Grams, { wordRowsAt }: WordRows, least: number): number[] {
  const work = new Map<number, number>();
  for (let g = 0; g < grams.length; g++) {
    let rows = 0;
    for (let i = gramWordsAt[g] as number; i < (gramWordsAt[g + 1] as number); i++) {
      const word = gramWords[i] as number;
      rows += (wordRowsAt[word + 1] as number) - (wordRowsAt[word] as number);
    }
    for (const key of prefixKeys(grams[g] as number)) work.set(key, (work.get(key) ?? 0) + rows);
  }
  return [...work]
    .filter(([, rows]) => rows > least)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST)
    .map(([key]) => key)
    .sort((a, b) => a - b);
}

function addRows(set: Int32Array, gram: number, { gramWordsAt, gramWords }: Grams, words: WordRows): void {
  for (let i = gramWordsAt[gram] as number; i < (gramWordsAt[gram + 1] as number); i++) {
    const word = gramWords[i] as number;
    const end = words.wordRowsAt[word + 1] as number;
    for (let r = words.wordRowsAt[word] as number; r < end; r++) setBit(set, words.wordRows[r] as number);
  }
}

/** A term of `length` bytes, 1 to 3, as a number. */
export const frequentKey = (length: number, gram: number): number => (length << 24) | gram;

/** The keys of the terms of one to three bytes that a gram starts with; none ends inside a character. */
function prefixKeys(gram: number): number[] {
  const keys: number[] = [];
  const first = gram >>> 16;
  if (first < 0x80) keys.push(frequentKey(1, gram & 0xff0000));
  if (first < 0xe0 && (gram & 0xff00) !== 0) keys.push(frequentKey(2, gram & 0xffff00));
  if ((gram & 0xff) !== 0) keys.push(frequentKey(3, gram));
  return keys;
}
