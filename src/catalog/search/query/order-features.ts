import { hasBit, popcount } from '../index/bitset.ts';
import { hasAnyBit } from '../index/facet-bits.ts';
import { FIELD_ENDS, WORD_HASHES } from '../index/outline.ts';
import { DIMENSIONS, directionOfSum } from '../text/term-vectors.ts';
import { type OrderQuery, withWordTable } from './order-query.ts';
import type { Part } from './part.ts';

/**
 * What the order of the best matches is learned from: numbers from about -1 to 1 per match. Each is a function of the query, the match
 * and the first matches by score, whatever part of the index they are in.
 */
export const FEATURES = [
  'score', // relative to the best
  'name', // shares of the query's weight in the name, in author and ids, and in the description
  'ids',
  'description',
  'itself', // in any field, without synonyms and longer words
  'name_rest', // share of the name's own words that are not in the query
  'direction', // `csv into json`: 1 for that, -1 for the reverse
  'type', // 1 for a type that the query names
  'prior', // proof and popularity
  'meaning', // cosine with the query's direction
  'feedback', // cosine with the direction of the first matches
  'feedback_words', // share of their common words
  'outright', // 1 for exactly the name, with a signal that is costly to fake
] as const;
export type Feature = (typeof FEATURES)[number];
export const FEATURE_COUNT = FEATURES.length;

/** The candidates, best first. */
interface Block {
  count: number;
  /** 0 for the base, 1 for the delta. */
  parts: Uint8Array;
  rows: Int32Array;
  scores: Float64Array;
}

type Places<Names extends readonly unknown[]> = { [At in keyof Names]: number };
/** The place of each among the numbers of a match. */
const [
  SCORE,
  NAME,
  IDS,
  DESCRIPTION,
  ITSELF,
  NAME_REST,
  DIRECTION,
  TYPE,
  PRIOR,
  MEANING,
  FEEDBACK,
  FEEDBACK_WORDS,
  OUTRIGHT,
] = FEATURES.map((_, at) => at) as unknown as Places<typeof FEATURES>;

/** Writes FEATURE_COUNT numbers for each candidate to `out`. */
export function addFeatures(parts: readonly Part[], block: Block, query: OrderQuery, out: Float64Array): void {
  const best = Math.max(block.scores[0] ?? 0, Number.MIN_VALUE);
  withWordTable(query.hashes, (table) => {
    for (let at = 0; at < block.count; at++) {
      const { segment } = parts[block.parts[at] as number] as Part;
      const row = block.rows[at] as number;
      const to = at * FEATURE_COUNT;
      out[to + SCORE] = (block.scores[at] as number) / best;
      out[to + TYPE] = hasAnyBit(segment.combinationBits, segment.combinations[row] as number, query.typeBits) ? 1 : 0;
      out[to + OUTRIGHT] = segment.nameKeys[row] === query.nameKey && hasBit(segment.proven, row) ? 1 : 0;
      out[to + PRIOR] = (segment.priors[row] as number) / 255;
      out[to + MEANING] = cosine(segment.outlines.meanings, row, query.meaning);
      addWords(segment, row, query, table, out, to);
    }
  });
  fillUnknown(block, MEANING, out);
  addFeedback(parts, block, out);
  fillUnknown(block, FEEDBACK, out);
}

/** Matches without a direction, such as those of few words in other languages, get the mean of the others. */
function fillUnknown({ count }: Block, feature: number, out: Float64Array): void {
  let [sum, known] = [0, 0];
  for (let at = 0; at < count; at++) {
    const value = out[at * FEATURE_COUNT + feature] as number;
    sum += value;
    if (value !== 0) known++;
  }
  if (known === 0 || known === count) return;
  for (let at = feature; at < count * FEATURE_COUNT; at += FEATURE_COUNT) if (out[at] === 0) out[at] = sum / known;
}

/** The groups that a part of an outline has, as bits, and those that it has themselves. */
let [any, itself] = [0, 0];

function addWords(
  { outlines, nameLengths }: Part['segment'],
  row: number,
  query: OrderQuery,
  table: Uint8Array,
  out: Float64Array,
  to: number,
): void {
  const { words, wordsAt, fieldEnds } = outlines;
  const from = wordsAt[row] as number;
  const end = wordsAt[row + 1] as number;
  const nameEnd = from + (fieldEnds[row * FIELD_ENDS] as number);
  const tagsEnd = from + (fieldEnds[row * FIELD_ENDS + 1] as number);
  const idsEnd = from + (fieldEnds[row * FIELD_ENDS + 2] as number);
  itself = 0;
  look(words, from, nameEnd, query, table);
  const length = nameLengths[row] as number;
  out[to + NAME] = shareOf(query, any);
  out[to + NAME_REST] = length === 0 ? 0 : 1 - Math.min(1, popcount(any) / length);
  look(words, nameEnd, tagsEnd, query, table);
  look(words, tagsEnd, idsEnd, query, table);
  out[to + IDS] = shareOf(query, any);
  look(words, idsEnd, end, query, table);
  out[to + DESCRIPTION] = shareOf(query, any);
  out[to + ITSELF] = shareOf(query, itself);
  out[to + DIRECTION] =
    query.conversions.length === 0
      ? 0
      : Math.sign(directionOf(words, from, nameEnd, query, table) + directionOf(words, idsEnd, end, query, table));
}

/** Looks at the words from `from` to before `to`. */
function look(words: Uint16Array, from: number, to: number, { masks, strong }: OrderQuery, table: Uint8Array): void {
  any = 0;
  for (let at = from; at < to; at++) {
    const word = table[words[at] as number] as number;
    if (word === 0) continue;
    any |= masks[word] as number;
    itself |= strong[word] as number;
  }
}

function shareOf({ idf, total }: OrderQuery, mask: number): number {
  if (mask === 0) return 0;
  let sum = 0;
  for (let left = mask; left !== 0; left &= left - 1) sum += idf[31 - Math.clz32(left & -left)] as number;
  return sum / total;
}

/** Of a conversion, the most words from one side to the other. */
const NEAR = 6;
const lastAt = new Int32Array(32);

/** Above 0 for conversions in the query's direction, below for the other. */
function directionOf(
  words: Uint16Array,
  from: number,
  to: number,
  { masks, groups, conversions }: OrderQuery,
  table: Uint8Array,
): number {
  lastAt.fill(from - NEAR - 1, 0, groups);
  let sum = 0;
  for (let at = from; at < to; at++) {
    const word = table[words[at] as number] as number;
    if (word === 0) continue;
    const mask = masks[word] as number;
    for (const [source, target] of conversions) {
      if ((mask & (1 << target)) !== 0 && at - (lastAt[source] as number) <= NEAR) sum++;
      if ((mask & (1 << source)) !== 0 && at - (lastAt[target] as number) <= NEAR) sum--;
    }
    for (let left = mask; left !== 0; left &= left - 1) lastAt[31 - Math.clz32(left & -left)] = at;
  }
  return sum;
}

/** Of a row's direction and another one, both of length 127, in integers. */
function cosine(meanings: Int8Array, row: number, direction: Int8Array): number {
  const from = row * DIMENSIONS;
  let sum = 0;
  for (let d = 0; d < DIMENSIONS; d++)
    sum = (sum + Math.imul(meanings[from + d] as number, direction[d] as number)) | 0;
  return sum / (127 * 127);
}

/** How many of the first matches the others are compared with: by direction, and by words. */
const DIRECTED = 20;
const WORDED = 10;
/** A word counts if this many of them have it, and at most so many words do. */
const LEAST_COMMON = 3;
const MOST_COMMON = 24;

/** By word, the number of the last match that had it, from 1, and below it in how many it was. */
const uses = new Uint16Array(WORD_HASHES);
const LAST = 8;
const weights = new Uint16Array(WORD_HASHES);

/** What the matches have in common with the first of them. */
function addFeedback(parts: readonly Part[], block: Block, out: Float64Array): void {
  const direction = commonDirection(parts, block, out);
  const words = commonWords(parts, block);
  let best = 0;
  for (const { word, weight } of words) {
    best += weight;
    weights[word] = weight;
  }
  for (let at = 0; at < block.count; at++) {
    const { meanings, words: own, wordsAt } = (parts[block.parts[at] as number] as Part).segment.outlines;
    const row = block.rows[at] as number;
    const to = at * FEATURE_COUNT;
    out[to + FEEDBACK] = cosine(meanings, row, direction);
    let sum = 0;
    const end = wordsAt[row + 1] as number;
    for (let i = wordsAt[row] as number; i < end; i++) sum += weights[own[i] as number] as number;
    out[to + FEEDBACK_WORDS] = best === 0 ? 0 : Math.min(1, sum / best);
  }
  for (const { word } of words) weights[word] = 0;
}

/** The direction of the first ones together, each the more the better its score and the nearer its direction is to the query's. */
function commonDirection(parts: readonly Part[], block: Block, out: Float64Array): Int8Array {
  const direction = new Float64Array(DIMENSIONS);
  for (let at = 0; at < Math.min(DIRECTED, block.count); at++) {
    const { meanings } = (parts[block.parts[at] as number] as Part).segment.outlines;
    const from = (block.rows[at] as number) * DIMENSIONS;
    const to = at * FEATURE_COUNT;
    const weight = (out[to + SCORE] as number) * Math.max(0.01, out[to + MEANING] as number) ** 2;
    for (let d = 0; d < DIMENSIONS; d++)
      direction[d] = (direction[d] as number) + weight * (meanings[from + d] as number);
  }
  return directionOfSum(direction);
}

/** Words that several of the first ones have, with their weights. */
function commonWords(parts: readonly Part[], block: Block): { word: number; weight: number }[] {
  const found: number[] = [];
  for (let at = 0; at < Math.min(WORDED, block.count); at++) {
    const { words, wordsAt } = (parts[block.parts[at] as number] as Part).segment.outlines;
    const row = block.rows[at] as number;
    const end = wordsAt[row + 1] as number;
    for (let i = wordsAt[row] as number; i < end; i++) {
      const word = words[i] as number;
      const use = uses[word] as number;
      if (use >> LAST === at + 1) continue;
      const count = (use & 0xff) + 1;
      uses[word] = ((at + 1) << LAST) | count;
      if (count === LEAST_COMMON) found.push(word);
    }
  }
  const { rarity } = (parts[0] as Part).segment.outlines;
  const common = found.map((word) => ({ word, weight: ((uses[word] as number) & 0xff) * (rarity[word] as number) }));
  forgetWords(parts, block);
  return common.sort((a, b) => b.weight - a.weight || a.word - b.word).slice(0, MOST_COMMON);
}

function forgetWords(parts: readonly Part[], block: Block): void {
  for (let at = 0; at < Math.min(WORDED, block.count); at++) {
    const { words, wordsAt } = (parts[block.parts[at] as number] as Part).segment.outlines;
    const row = block.rows[at] as number;
    const end = wordsAt[row + 1] as number;
    for (let i = wordsAt[row] as number; i < end; i++) uses[words[i] as number] = 0;
  }
}
