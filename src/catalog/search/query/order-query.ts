import type { ListingType } from '#catalog/items/kinds.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { type FacetBits, filterBits } from '../index/facet-bits.ts';
import { nameKey } from '../index/field-weights.ts';
import { WORD_HASHES, wordHash } from '../index/outline.ts';
import { addVector, DIMENSIONS, directionOfSum, vectorNumber } from '../text/term-vectors.ts';
import { tokenize } from '../text/tokenize.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Expansion, TermGroup } from './vocabulary.ts';

/** What the order of the best matches asks of their words: a query's plan, ready to be held against outlines. */
export interface OrderQuery {
  /** How many groups of terms anything matches. They are numbered from 0, in the order of the query. */
  groups: number;
  /** Of each group, and of all. */
  idf: Float64Array;
  total: number;
  /** The words that match, as hashes, and from 1 on the groups of each as bits, and those of which it is no mere relative. */
  hashes: Uint16Array;
  masks: Int32Array;
  strong: Int32Array;
  /** The direction of its words' vectors. */
  meaning: Int8Array;
  /** Groups with a word for `to` between them: `csv into json`. */
  conversions: readonly (readonly [from: number, to: number])[];
  /** The types that the query names, as bits of facets. */
  typeBits: FacetBits;
  /** Hash of the text as a name. */
  nameKey: number;
}

const MOST_GROUPS = 24;
/** One less than a byte holds, because 0 stands for other words. */
const MOST_WORDS = 255;
/** From this weight on, an expansion is the word itself, a form of it, or its correction. */
const LEAST_STRONG = 0.85;

export function orderQueryOf(text: string, plan: QueryPlan): OrderQuery {
  const found = plan.groups.filter(({ idf }) => idf > 0).slice(0, MOST_GROUPS);
  const idf = Float64Array.from(found, (group) => group.idf);
  const tokens = tokenize(text);
  return {
    groups: found.length,
    idf,
    total: idf.reduce((sum, each) => sum + each, 0),
    ...wordsOf(found),
    meaning: meaningOf(found),
    conversions: plan.translated.length > 0 ? [] : conversionsIn(tokens, found, plan),
    typeBits: typeBitsIn(tokens),
    nameKey: hashOf(nameKey(text)),
  };
}

function wordsOf(groups: readonly TermGroup[]): Pick<OrderQuery, 'hashes' | 'masks' | 'strong'> {
  const words = new Map<number, { mask: number; strong: number }>();
  groups.forEach(({ expansions }, number) => {
    for (const { terms, weight } of expansions) {
      const [term] = terms;
      if (term === undefined || terms.length > 1) continue;
      const hash = wordHash(term);
      const known = words.get(hash) ?? { mask: 0, strong: 0 };
      if (known.mask === 0 && words.size === MOST_WORDS) continue;
      known.mask |= 1 << number;
      if (weight >= LEAST_STRONG) known.strong |= 1 << number;
      words.set(hash, known);
    }
  });
  const all = [...words.values()];
  return {
    hashes: Uint16Array.from(words.keys()),
    masks: Int32Array.from([0, ...all.map(({ mask }) => mask)]),
    strong: Int32Array.from([0, ...all.map(({ strong }) => strong)]),
  };
}

function meaningOf(groups: readonly TermGroup[]): Int8Array {
  const sum = new Float64Array(DIMENSIONS);
  for (const { term, idf, expansions } of groups) {
    const known = [term].map(vectorNumber).filter(isKnown);
    // A word without a vector stands for what it is taken to mean.
    for (let i = 0; i < expansions.length && known.length === 0; i++)
      known.push(...(expansions[i] as Expansion).terms.map(vectorNumber).filter(isKnown));
    for (const number of known) addVector(sum, number, idf);
  }
  return directionOfSum(sum);
}

const isKnown = (number: number): boolean => number >= 0;

/** A query names hardly more than one. */
const MOST_CONVERSIONS = 4;
const TOWARDS = new Set(['to', 'into', '2', 'as']);

function conversionsIn(
  tokens: readonly string[],
  groups: readonly TermGroup[],
  { corrected }: QueryPlan,
): [number, number][] {
  const meant = new Map(corrected.map(({ from, to }) => [from, to]));
  const groupOf = (token: string | undefined): number =>
    token === undefined ? -1 : groups.findIndex(({ term }) => term === (meant.get(token) ?? token));
  const conversions: [number, number][] = [];
  for (let at = 1; at < tokens.length && conversions.length < MOST_CONVERSIONS; at++) {
    if (!TOWARDS.has(tokens[at] as string)) continue;
    const [source, target] = [groupOf(tokens[at - 1]), groupOf(tokens[at + 1])];
    if (source >= 0 && target >= 0 && source !== target) conversions.push([source, target]);
  }
  return conversions;
}

const TYPE_WORDS: ReadonlyMap<string, ListingType> = new Map([
  ['mcp', 'server'],
  ['server', 'server'],
  ['servers', 'server'],
  ['skill', 'skill'],
  ['skills', 'skill'],
  ['plugin', 'harness'],
  ['plugins', 'harness'],
  ['extension', 'harness'],
  ['extensions', 'harness'],
  ['harness', 'harness'],
]);

const typeBitsIn = (tokens: readonly string[]): FacetBits =>
  filterBits(
    'listing_type',
    tokens.flatMap((token) => TYPE_WORDS.get(token) ?? []),
  );

/** By hash of a word, its number in `hashes` from 1, while one query is answered. */
const numbers = new Uint8Array(WORD_HASHES);

/** Calls `read` with the table of the query's words, which holds until it returns. */
export function withWordTable(hashes: Uint16Array, read: (numbers: Uint8Array) => void): void {
  for (let i = 0; i < hashes.length; i++) numbers[hashes[i] as number] = i + 1;
  read(numbers);
  for (const hash of hashes) numbers[hash] = 0;
}
