import { remembered } from '#core/text/text-cache.ts';
import { RANKING } from '../ranking.ts';
import { LONGEST_ENDING, stemOf } from '../text/stem.ts';
import { isDense, joinNeighbours } from '../text/tokenize.ts';
import { correctionsFor } from './spelling.ts';
import type { Entry, ExpandedTerm, Expansion, ExpansionKind, TermGroup, Vocabulary } from './vocabulary.ts';

export const expansionOf = (entry: Entry, kind: ExpansionKind, weight: number): Expansion => ({
  ...entry,
  kind,
  weight,
});

export function groupOf(term: string, expansions: Expansion[], count: number): TermGroup {
  const most = expansions.reduce((max, expansion) => Math.max(max, expansion.count * expansion.weight), 0);
  return {
    term,
    expansions: expansions.sort((a, b) => b.weight - a.weight),
    idf: expansions.length === 0 ? 0 : idfOf(most, count),
  };
}

/** BM25's inverse document frequency of a term that `having` of `count` documents have. Never negative. */
export const idfOf = (having: number, count: number): number => Math.log(1 + (count - having + 0.5) / (having + 0.5));

/** A term with its forms, longer words and corrections. */
export function expandTerm(term: string, vocabulary: Vocabulary): ExpandedTerm {
  const expansions = ownExpansions(term, vocabulary);
  return {
    ...groupOf(term, expansions, vocabulary.count),
    corrections: correctionsFor(term, expansions, vocabulary),
  };
}

/** The term itself, its other forms, and longer words that start with it. */
function ownExpansions(term: string, vocabulary: Vocabulary): Expansion[] {
  const exact = vocabulary.lookUp([term]);
  const own = exact.count > 0 ? [expansionOf(exact, 'exact', 1)] : [];
  if (isDense(term) || term.length < RANKING.least_prefix) return own;
  const stem = stemOf(term);
  const start = stem.length < term.length ? commonStart(stem, term) : term;
  const [forms, longer]: [Candidate[], Candidate[]] = [[], []];
  for (const { term: other, count } of vocabulary.startingWith(start.length < RANKING.least_prefix ? term : start)) {
    if (other === term || count === 0) continue;
    const isForm = other.length <= stem.length + LONGEST_ENDING && isFormOf(other, term, stem);
    if (isForm) forms.push({ other, count, weight: RANKING.stem });
    else if (other.startsWith(term))
      longer.push({ other, count, weight: (RANKING.prefix * term.length) / other.length });
  }
  addSingular(term, forms, vocabulary);
  const expansionsOf = (candidates: Candidate[], kind: ExpansionKind) =>
    mostFrequent(candidates).map(({ other, weight }) => expansionOf(vocabulary.lookUp([other]), kind, weight));
  return [...own, ...expansionsOf(forms, 'form'), ...expansionsOf(longer, 'prefix')];
}

const LEAST_PLURAL = 3;

/** The word without its plural's ending does not start with the word. */
function addSingular(term: string, forms: Candidate[], vocabulary: Vocabulary): void {
  const singular = term.slice(0, -1);
  if (singular.length < LEAST_PLURAL || !isPlural(term, singular) || forms.some(({ other }) => other === singular))
    return;
  const { count } = vocabulary.lookUp([singular]);
  if (count > 0) forms.push({ other: singular, count, weight: RANKING.stem });
}

const isPlural = (term: string, singular: string): boolean => term === `${singular}s` && !singular.endsWith('s');

/** The stems of `note` and `notes` differ, and `note` and `not` have the same one. */
function isFormOf(other: string, term: string, stem: string): boolean {
  if (isPlural(other, term) || isPlural(term, other)) return true;
  return stem.length > 2 && Math.min(term.length, other.length) > 3 && stemOf(other) === stem;
}

interface Candidate {
  other: string;
  count: number;
  weight: number;
}

/** A stem may end in `i` where the term has `y`. */
function commonStart(stem: string, term: string): string {
  let length = 0;
  while (length < stem.length && stem[length] === term[length]) length++;
  return stem.slice(0, length);
}

/** Of many candidates only a few are kept, so those are kept in order and the others are not sorted. */
function mostFrequent(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const last = kept.at(-1);
    const isFull = kept.length === RANKING.most_prefixed;
    if (isFull && last !== undefined && !isBefore(candidate, last)) continue;
    if (isFull) kept.pop();
    let at = kept.length;
    while (at > 0 && isBefore(candidate, kept[at - 1] as Candidate)) at--;
    kept.splice(at, 0, candidate);
  }
  return kept;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  const [frequent, other] = [a.count * a.weight, b.count * b.weight];
  return frequent > other || (frequent === other && a.other < b.other);
}

/** For each term, the expansions that depend on the rest of the query: synonyms, and neighbours written as one. */
export function contextExpansions(
  tokens: readonly string[],
  expanded: readonly ExpandedTerm[],
  vocabulary: Vocabulary,
): Expansion[][] {
  const found: Expansion[][] = expanded.map(() => []);
  addSynonyms(tokens, expanded, found, vocabulary);
  for (let i = 1; i < expanded.length; i++) {
    const [pair] = joinNeighbours([(expanded[i - 1] as TermGroup).term, (expanded[i] as TermGroup).term]);
    const entry = pair === undefined ? null : vocabulary.lookUp([pair]);
    if (entry === null || entry.count === 0) continue;
    for (const at of [i - 1, i]) found[at]?.push(expansionOf(entry, 'joined', RANKING.joined));
  }
  return found;
}

/** The synonyms of a phrase expand each of its terms. */
function addSynonyms(
  tokens: readonly string[],
  expanded: readonly ExpandedTerm[],
  found: readonly Expansion[][],
  vocabulary: Vocabulary,
): void {
  for (const { from, to, synonyms } of vocabulary.rules.synonymsIn(tokens))
    for (const synonym of synonyms.flatMap((phrase) => formsOf(phrase, vocabulary))) {
      const entry = vocabulary.lookUp(synonym);
      if (entry.count === 0) continue;
      for (const token of tokens.slice(from, to)) {
        const at = expanded.findIndex(({ term }) => term === token);
        const known = [expanded[at]?.expansions, found[at]];
        const isKnown = known.some((expansions) => expansions === undefined || expansions.some(hasTerms(synonym)));
        if (!isKnown) found[at]?.push(expansionOf(entry, 'synonym', vocabulary.rules.synonym()));
      }
    }
}

function formsOf(phrase: readonly string[], vocabulary: Vocabulary): (readonly string[])[] {
  const [term] = phrase;
  if (!vocabulary.rules.inflects || term === undefined || phrase.length > 1) return [phrase];
  const { expansions } = remembered(vocabulary.expanded, term, () => expandTerm(term, vocabulary));
  return [phrase, ...expansions.filter(({ kind }) => kind === 'form').map(({ terms }) => terms)];
}

const hasTerms =
  (wanted: readonly string[]) =>
  ({ terms }: Expansion): boolean =>
    terms.length === wanted.length && terms.every((term, i) => term === wanted[i]);
