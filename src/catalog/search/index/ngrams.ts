import { type IntList, intList, pushInt, sharedInts, sharedUints } from './shared-arrays.ts';

/** Builds the substring lookup over folded words: which words hold which three bytes. */

export interface Words {
  wordBytes: Uint8Array;
  wordAt: Uint32Array;
}

export interface Grams {
  grams: Int32Array;
  gramWordsAt: Uint32Array;
  gramWords: Int32Array;
}

/** Every character's first three bytes from there on; terms start at characters too, so no other place is needed. */
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
  return layOut(keys, counts, uses);
}

function layOut(keys: IntList, counts: IntList, [slots, words]: [IntList, IntList]): Grams {
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

export const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

export const gramAt = (bytes: Uint8Array, at: number, end: number): number =>
  ((bytes[at] as number) << 16) |
  ((at + 1 < end ? (bytes[at + 1] as number) : 0) << 8) |
  (at + 2 < end ? (bytes[at + 2] as number) : 0);

/** First index whose value is not below `value`, in an ascending array. */
export function lowerBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
