import type { TextCache } from '../../../platform/text-cache.ts';
import { RANKING } from './ranking.ts';
import { LONGEST_ENDING, stemOf } from './stem.ts';
import { synonymsIn } from './synonyms.ts';
import { isDense, joined, tokens } from './tokens.ts';

/** What a query looks for: its terms, and for each the terms that can stand for it. */

/** What the words of all segments say; counts are of capabilities that stand. */
export interface Vocabulary {
  count: number;
  /** What was found to stand for terms: queries are new more often than their words. */
  stands: TextCache<readonly Stand[]>;
  countOf(term: string): number;
  /** How many have all of them. */
  countAll(terms: readonly string[]): number;
  startingWith(start: string): Iterable<{ term: string; count: number }>;
  near(term: string, most: number): readonly { term: string; distance: number }[];
}

export type Kind = 'exact' | 'form' | 'prefix' | 'joined' | 'synonym' | 'typo';

export interface Stand {
  /** All of them, as a rule one. */
  terms: readonly string[];
  kind: Kind;
  /** From 0 to 1. */
  weight: number;
  count: number;
}

export interface Group {
  /** Folded, as asked. */
  term: string;
  stands: Stand[];
  /** How rare it is; 0 where nothing has it. */
  rarity: number;
}

export interface Plan {
  groups: Group[];
  /** Neighbours of the query as one word: they add to what has them, and nobody lacks them. */
  pairs: Group[];
  corrected: { from: string; to: string }[];
  unmatched: string[];
  /** What the unmatched would weigh, as rare as anything can be. */
  lacking: number;
}

/** Say nothing of what is looked for; left out where there is something else. */
const FILLERS = new Set(
  (
    'a an and are as be by can could do does for from get have help how i if in into is it lets like me my need of on or ' +
    'over please should so some someone something that the their them then this to up use using via want we what when ' +
    'where which who will with would you your able before after across find give look make tool tools capability'
  ).split(' '),
);
const MOST_TERMS = 24;

export function planOf(text: string, vocabulary: Vocabulary): Plan {
  const all = [...new Set(tokens(text))];
  const telling = all.filter((it) => !FILLERS.has(it));
  const terms = (telling.length > 0 ? telling : all).slice(0, MOST_TERMS);
  const stands = terms.map((term) => [...knownStands(term, vocabulary)]);
  addSynonyms(tokens(text), terms, stands, vocabulary);
  addJoined(terms, stands, vocabulary);
  const corrected: Plan['corrected'] = [];
  terms.forEach((term, i) => {
    const typos = typosOf(term, stands[i] as Stand[], vocabulary);
    if (typos[0] !== undefined) corrected.push({ from: term, to: typos[0].terms[0] as string });
    stands[i]?.push(...typos);
  });
  const groups = terms.map((term, i) => groupOf(term, stands[i] as Stand[], vocabulary.count));
  const unmatched = groups.filter(({ stands }) => stands.length === 0).map(({ term }) => term);
  const lacking = unmatched.length * rarityOf(0, vocabulary.count);
  return { groups, pairs: pairsOf(terms, vocabulary), corrected, unmatched, lacking };
}

function groupOf(term: string, stands: Stand[], count: number): Group {
  const most = stands.reduce((sum, it) => Math.max(sum, it.count * it.weight), 0);
  return {
    term,
    stands: stands.sort((a, b) => b.weight - a.weight),
    rarity: stands.length === 0 ? 0 : rarityOf(most, count),
  };
}

/** BM25's inverse document frequency, never negative. */
const rarityOf = (of: number, count: number): number => Math.log(1 + (count - of + 0.5) / (of + 0.5));

function knownStands(term: string, vocabulary: Vocabulary): readonly Stand[] {
  let stands = vocabulary.stands.get(term);
  if (stands === undefined) {
    stands = standsFor(term, vocabulary);
    vocabulary.stands.set(term, stands);
  }
  return stands;
}

/** The term itself, its other forms, and what begins with it. */
function standsFor(term: string, vocabulary: Vocabulary): Stand[] {
  const exact = vocabulary.countOf(term);
  const stands: Stand[] = exact > 0 ? [{ terms: [term], kind: 'exact', weight: 1, count: exact }] : [];
  if (isDense(term) || term.length < RANKING.least_prefix) return stands;
  const stem = stemOf(term);
  const start = stem.length < term.length ? sharedStart(stem, term) : term;
  const [forms, longer]: [Stand[], Stand[]] = [[], []];
  for (const { term: other, count } of vocabulary.startingWith(start.length < RANKING.least_prefix ? term : start)) {
    if (other === term || count === 0) continue;
    const is_form = stem.length > 2 && other.length <= stem.length + LONGEST_ENDING && stemOf(other) === stem;
    if (is_form) forms.push({ terms: [other], kind: 'form', weight: RANKING.stem, count });
    else if (other.startsWith(term))
      longer.push({ terms: [other], kind: 'prefix', weight: (RANKING.prefix * term.length) / other.length, count });
  }
  return [...stands, ...mostUsed(forms), ...mostUsed(longer)];
}

/** `y` and `i` at the end of a stem are one. */
function sharedStart(stem: string, term: string): string {
  let length = 0;
  while (length < stem.length && stem[length] === term[length]) length++;
  return stem.slice(0, length);
}

const mostUsed = (stands: Stand[]): Stand[] =>
  stands
    .sort(
      (a, b) => b.count * b.weight - a.count * a.weight || ((a.terms[0] as string) < (b.terms[0] as string) ? -1 : 1),
    )
    .slice(0, RANKING.most_prefixed);

/** A phrase's other words stand for each of its terms. */
function addSynonyms(
  asked: readonly string[],
  terms: readonly string[],
  stands: Stand[][],
  vocabulary: Vocabulary,
): void {
  for (const { from, to, others } of synonymsIn(asked))
    for (const other of others) {
      const count = other.length === 1 ? vocabulary.countOf(other[0] as string) : vocabulary.countAll(other);
      if (count === 0) continue;
      for (const term of asked.slice(from, to)) {
        const known = stands[terms.indexOf(term)];
        if (known === undefined || known.some((it) => it.terms.join(' ') === other.join(' '))) continue;
        known.push({ terms: other, kind: 'synonym', weight: RANKING.synonym, count });
      }
    }
}

function addJoined(terms: readonly string[], stands: Stand[][], vocabulary: Vocabulary): void {
  for (let i = 1; i < terms.length; i++) {
    const [pair] = joined([terms[i - 1] as string, terms[i] as string]);
    const count = pair === undefined ? 0 : vocabulary.countOf(pair);
    if (pair === undefined || count === 0) continue;
    for (const at of [i - 1, i]) stands[at]?.push({ terms: [pair], kind: 'joined', weight: RANKING.joined, count });
  }
}

function pairsOf(terms: readonly string[], vocabulary: Vocabulary): Group[] {
  const pairs: Group[] = [];
  for (const pair of joined(terms)) {
    const count = vocabulary.countOf(pair);
    if (count === 0) continue;
    pairs.push(groupOf(pair, [{ terms: [pair], kind: 'joined', weight: 1, count }], vocabulary.count));
  }
  return pairs;
}

const LEAST_TYPED = 4;
const MOST_TYPOS = 3;

/** Only for what is very rare itself: what is common is meant as it is written. */
function typosOf(term: string, stands: readonly Stand[], vocabulary: Vocabulary): Stand[] {
  if (term.length < LEAST_TYPED || isDense(term) || /\d/.test(term)) return [];
  if (stands.some(({ kind }) => kind === 'synonym')) return [];
  const countOf = (...kinds: Kind[]) =>
    Math.max(0, ...stands.filter(({ kind }) => kinds.includes(kind)).map((it) => it.count));
  const count = countOf('exact', 'form');
  if (count > RANKING.rare) return [];
  const least = Math.max(1, count * RANKING.times, countOf('prefix') * RANKING.times_prefixed);
  const most = term.length >= 7 ? 2 : 1;
  const near = vocabulary
    .near(term, most)
    .map(({ term: other, distance }) => ({ other, distance, count: vocabulary.countOf(other) }))
    .filter((it) => it.count >= least && !isForm(term, it.other));
  const nearest = Math.min(...near.map(costOf(term)));
  return near
    .filter((it) => costOf(term)(it) <= nearest)
    .sort((a, b) => b.count - a.count || (a.other < b.other ? -1 : 1))
    .slice(0, MOST_TYPOS)
    .map(({ other, distance, count: found }) => ({
      ...{ terms: [other], kind: 'typo' as const, count: found },
      weight: distance === 1 ? RANKING.typo_1 : RANKING.typo_2,
    }));
}

const isForm = (a: string, b: string): boolean => stemOf(a) === stemOf(b);

/** The first letter is seldom wrong. */
const costOf =
  (term: string) =>
  ({ other, distance }: { other: string; distance: number }): number =>
    distance + (other[0] === term[0] ? 0 : 0.5);
