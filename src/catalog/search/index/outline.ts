import { hashOf } from '#core/text/text-cache.ts';
import { addVector, DIMENSIONS, directionOfSum, vectorNumber } from '../text/term-vectors.ts';
import { type IntList, intList, pushInt, sharedBytes, sharedShorts, sharedUints } from './arrays.ts';
import type { FieldTerms } from './field-weights.ts';

/** What the order of the best matches is learned from, beside their scores (`query/order-features.ts`). */
export interface Outlines {
  /** Hashes of the words of each row in order: of the name, the tags, author and ids, and the description. */
  words: Uint16Array;
  wordsAt: Uint32Array;
  /** Three a row: where its name, its tags and its ids end, from the row's first word. */
  fieldEnds: Uint8Array;
  /** The direction of the sum of its words' vectors: DIMENSIONS a row. */
  meanings: Int8Array;
  /** By hash of a word, how rare it is: 16 times the natural logarithm of the documents over those that have it. */
  rarity: Uint8Array;
}

/** Whether a row has words of a description. */
export const isDescribed = ({ wordsAt, fieldEnds }: Outlines, row: number): boolean =>
  (wordsAt[row + 1] as number) - (wordsAt[row] as number) > (fieldEnds[row * FIELD_ENDS + 2] as number);

interface OutlineBuilder {
  /** The next document's. Returns the direction of its words, which is valid until the next call. */
  add(terms: FieldTerms): Int8Array;
  /** How rare words are among all that was added. */
  rarity(): Uint8Array;
  /** `rowOrder[row]` is the document's number, in the order of the `add` calls. */
  finish(rowOrder: Int32Array, rarity: Uint8Array): Outlines;
}

/** The most words of a name, of tags, of ids and of a description that are kept. Together they fit a byte. */
const MOST = { name: 16, tags: 24, ids: 16, description: 64 };
/** The weight of a word in the direction of a document, by its field. */
const TELLING = { name: 2, tags: 1, description: 1 };

export const FIELD_ENDS = 3;

export const WORD_HASHES = 65_536;
export const wordHash = (term: string): number => Math.imul(hashOf(term), 0x9e3779b1) >>> 16;

/** Keeps documents side by side, because an object each would take several times the memory. */
export function outlineBuilder(): OutlineBuilder {
  const words = intList();
  const endOf = intList();
  const fieldEnds = intList();
  const meanings = intList();
  const cells = new Int32Array(new Int8Array(DIMENSIONS).buffer);
  const meaning = new Int8Array(cells.buffer);
  const vectors = new Map<string, number>();
  const vectorOf = (word: string): number => {
    let number = vectors.get(word);
    if (number === undefined) {
      number = vectorNumber(word);
      vectors.set(word, number);
    }
    return number;
  };
  return {
    add(terms) {
      const name = terms.name.slice(0, MOST.name);
      const tags = terms.tags.slice(0, MOST.tags);
      const ids = [...terms.author, ...terms.ids].slice(0, MOST.ids);
      const description = terms.description.slice(0, MOST.description);
      for (const word of [...name, ...tags, ...ids, ...description]) pushInt(words, wordHash(word));
      pushInt(endOf, words.length);
      pushInt(fieldEnds, name.length);
      pushInt(fieldEnds, name.length + tags.length);
      pushInt(fieldEnds, name.length + tags.length + ids.length);
      meaning.set(directionOfSum(sumOf({ name, tags, description }, vectorOf)));
      for (const four of cells) pushInt(meanings, four);
      return meaning;
    },
    rarity: () => rarityOf(words, endOf),
    finish(rowOrder, rarity) {
      const count = rowOrder.length;
      const laidOut: Outlines = {
        words: sharedShorts(words.length),
        wordsAt: sharedUints(count + 1),
        fieldEnds: sharedBytes(count * FIELD_ENDS),
        meanings: new Int8Array(new SharedArrayBuffer(count * DIMENSIONS)),
        rarity,
      };
      const stored = new Int32Array(laidOut.meanings.buffer);
      rowOrder.forEach((document, row) => {
        const from = document === 0 ? 0 : (endOf.data[document - 1] as number);
        const own = words.data.subarray(from, endOf.data[document]);
        laidOut.words.set(own, laidOut.wordsAt[row]);
        laidOut.wordsAt[row + 1] = (laidOut.wordsAt[row] as number) + own.length;
        copyShare(fieldEnds, document, laidOut.fieldEnds, row, FIELD_ENDS);
        copyShare(meanings, document, stored, row, cells.length);
      });
      return laidOut;
    },
  };
}

/** Copies the numbers of a document, of which each has as many, to a row. */
function copyShare({ data }: IntList, document: number, to: Uint8Array | Int32Array, row: number, each: number): void {
  for (let i = 0; i < each; i++) to[row * each + i] = data[document * each + i] as number;
}

function sumOf(
  fields: Record<keyof typeof TELLING, readonly string[]>,
  vectorOf: (word: string) => number,
): Float64Array {
  const factors = new Map<number, number>();
  for (const [field, words] of Object.entries(fields))
    for (const word of words) {
      const number = vectorOf(word);
      if (number >= 0) factors.set(number, Math.max(factors.get(number) ?? 0, TELLING[field as keyof typeof TELLING]));
    }
  const sum = new Float64Array(DIMENSIONS);
  for (const [number, factor] of factors) addVector(sum, number, factor);
  return sum;
}

function rarityOf(words: IntList, endOf: IntList): Uint8Array {
  const having = new Uint32Array(WORD_HASHES);
  const lastUse = new Int32Array(WORD_HASHES).fill(-1);
  for (let document = 0, at = 0; document < endOf.length; document++)
    for (; at < (endOf.data[document] as number); at++) {
      const word = words.data[at] as number;
      if (lastUse[word] === document) continue;
      lastUse[word] = document;
      having[word] = (having[word] as number) + 1;
    }
  const rarity = sharedBytes(WORD_HASHES);
  for (let word = 0; word < WORD_HASHES; word++)
    rarity[word] = Math.min(255, Math.round(16 * Math.log((endOf.length + 1) / ((having[word] as number) + 1))));
  return rarity;
}
