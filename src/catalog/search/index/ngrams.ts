import { type IntList, intList, pushInt, sharedInts, sharedUints, shareInts } from './arrays.ts';
import { bitWords, setBit } from './bitset.ts';
import { keepCommon, lowerBound } from './sorted-rows.ts';

/**
 * Finds the words that contain a term. A gram is three bytes from the start of a character on, padded with zeros after the word's end.
 * Terms start at characters too, so no other offsets are needed.
 */

export interface Words {
  wordBytes: Uint8Array;
  wordAt: Uint32Array;
}

export interface WordRows {
  wordRowsAt: Uint32Array;
  wordRows: Int32Array;
}

/** Grams ascending, and the words that contain each. */
export interface Grams {
  grams: Int32Array;
  gramWordsAt: Uint32Array;
  gramWords: Int32Array;
}

export function buildGrams({ wordBytes, wordAt }: Words): Grams {
  const slotOf = new Map<number, number>();
  const [keys, counts, lastWord] = [intList(), intList(), intList()];
  const uses: [IntList, IntList] = [intList(), intList()];
  for (let word = 0; word + 1 < wordAt.length; word++) {
    const end = wordAt[word + 1] as number;
    for (let at = wordAt[word] as number; at < end; at++) {
      if (isContinuation(wordBytes[at] as number)) continue;
      const key = gramAt(wordBytes, at, end);
      let slot = slotOf.get(key);
      if (slot === undefined) {
        slot = keys.length;
        slotOf.set(key, slot);
        pushInt(keys, key);
        pushInt(counts, 0);
        pushInt(lastWord, -1);
      }
      if (lastWord.data[slot] === word) continue;
      lastWord.data[slot] = word;
      counts.data[slot] = (counts.data[slot] as number) + 1;
      pushInt(uses[0], slot);
      pushInt(uses[1], word);
    }
  }
  return layOutGrams(keys, counts, uses);
}

function layOutGrams(keys: IntList, counts: IntList, [slots, words]: [IntList, IntList]): Grams {
  const bySlot = keys.data.subarray(0, keys.length);
  const order = Int32Array.from(bySlot.keys()).sort((a, b) => (bySlot[a] as number) - (bySlot[b] as number));
  const grams = sharedInts(order.length);
  const gramWordsAt = sharedUints(order.length + 1);
  const next = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const slot = order[i] as number;
    grams[i] = bySlot[slot] as number;
    next[slot] = gramWordsAt[i] as number;
    gramWordsAt[i + 1] = (gramWordsAt[i] as number) + (counts.data[slot] as number);
  }
  const gramWords = sharedInts(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots.data[i] as number;
    gramWords[next[slot] as number] = words.data[i] as number;
    next[slot] = (next[slot] as number) + 1;
  }
  return { grams, gramWordsAt, gramWords };
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

const gramAt = (bytes: Uint8Array, at: number, end: number): number =>
  ((bytes[at] as number) << 16) |
  ((at + 1 < end ? (bytes[at + 1] as number) : 0) << 8) |
  (at + 2 < end ? (bytes[at + 2] as number) : 0);

/** Numbers of the words that contain the term, ascending. Terms of one or two bytes give some words twice. */
export function wordsWith(index: Words & Grams, term: Uint8Array): Int32Array {
  const { grams, gramWordsAt, gramWords } = index;
  const first = gramAt(term, 0, term.length);
  if (term.includes(0))
    return containing(
      index,
      Int32Array.from({ length: index.wordAt.length - 1 }, (_, i) => i),
      term,
    );
  if (term.length < 3) {
    const from = lowerBound(grams, first);
    const to = lowerBound(grams, first + (term.length === 1 ? 0x10000 : 0x100));
    return gramWords.subarray(gramWordsAt[from], gramWordsAt[to]);
  }
  let [fewest, second] = [ALL, ALL];
  for (let at = 0; at + 3 <= term.length; at++) {
    if (isContinuation(term[at] as number)) continue;
    const gram = gramAt(term, at, term.length);
    const slot = lowerBound(grams, gram);
    if (grams[slot] !== gram) return new Int32Array(0);
    const share = { from: gramWordsAt[slot] as number, to: gramWordsAt[slot + 1] as number };
    if (isShorter(share, fewest)) [fewest, second] = [share, fewest];
    else if (isShorter(share, second)) second = share;
  }
  const words = gramWords.subarray(fewest.from, fewest.to);
  if (term.length === 3) return words;
  if (second === ALL || words.length <= MOST_CHECKED) return containing(index, words, term);
  const both = words.slice();
  const count = keepCommon(both, both.length, gramWords.subarray(second.from, second.to));
  return containing(index, both.subarray(0, count), term);
}

/** A gram's words, as a range of `gramWords`. */
interface Share {
  from: number;
  to: number;
}
/** Longer than any. */
const ALL: Share = { from: 0, to: Number.POSITIVE_INFINITY };
const isShorter = (a: Share, b: Share): boolean => a.to - a.from < b.to - b.from;

/** Up to this many words are compared with the term at once. More are first intersected with the words of a second gram. */
const MOST_CHECKED = 48;

function containing({ wordBytes, wordAt }: Words, words: Int32Array, term: Uint8Array): Int32Array {
  const found = new Int32Array(words.length);
  const first = term[0] as number;
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    const last = (wordAt[word + 1] as number) - term.length;
    for (let at = wordAt[word] as number; at <= last; at++) {
      if (wordBytes[at] !== first) continue;
      let same = 1;
      while (same < term.length && wordBytes[at + same] === term[same]) same++;
      if (same < term.length) continue;
      found[count++] = word;
      break;
    }
  }
  return found.subarray(0, count);
}

/**
 * Precomputed row sets of short terms that very many listings contain, such as `a` or `ing`, because collecting those rows for each
 * query is slow. Keys are ascending, and their sets follow one another.
 */
export interface FrequentTerms {
  frequent: Int32Array;
  frequentSets: Int32Array;
}

/** Limits the memory to 64 bytes a listing. */
const MOST_FREQUENT = 512;

export function buildFrequent(grams: Grams, words: WordRows, count: number): FrequentTerms {
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
  return { frequent: shareInts(chosen), frequentSets };
}

/** The rows of a frequent term; null for other terms. */
export function frequentRows(
  { frequent, frequentSets }: FrequentTerms,
  term: Uint8Array,
  count: number,
): Int32Array | null {
  if (term.length > 3) return null;
  const key = frequentKey(term.length, gramAt(term, 0, term.length));
  const slot = lowerBound(frequent, key);
  if (frequent[slot] !== key) return null;
  const words = bitWords(count);
  return frequentSets.subarray(slot * words, (slot + 1) * words);
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
    .slice(0, MOST_FREQUENT)
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
const frequentKey = (length: number, gram: number): number => (length << 24) | gram;

/** The keys of the terms of one to three bytes that a gram starts with. A term never ends inside a character. */
function prefixKeys(gram: number): number[] {
  const keys: number[] = [];
  const first = gram >>> 16;
  if (first < 0x80) keys.push(frequentKey(1, gram & 0xff0000));
  if (first < 0xe0 && (gram & 0xff00) !== 0) keys.push(frequentKey(2, gram & 0xffff00));
  if ((gram & 0xff) !== 0) keys.push(frequentKey(3, gram));
  return keys;
}
