import { RANKING } from '../ranking.ts';
import { stemOf } from '../text/stem.ts';
import { isDense } from '../text/tokenize.ts';
import type { ExpandedTerm, Expansion, ExpansionKind, Vocabulary } from './vocabulary.ts';

const MOST_CORRECTIONS = 3;

/** What a misspelled term may mean. Only for very rare terms: a common one is spelled as intended. */
export function correctionsFor(term: string, expansions: readonly Expansion[], vocabulary: Vocabulary): Expansion[] {
  const countOf = (...kinds: ExpansionKind[]) =>
    Math.max(0, ...expansions.filter(({ kind }) => kinds.includes(kind)).map(({ count }) => count));
  const count = countOf('exact', 'form');
  if (count > RANKING.rare) return [];
  const least = Math.max(1, count * RANKING.times, countOf('prefix') * RANKING.times_prefixed);
  const near = nearTerms(term, vocabulary).filter((other) => other.count >= least);
  const nearest = Math.min(...near.map(costOf(term)));
  return near
    .filter((other) => costOf(term)(other) <= nearest)
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_CORRECTIONS)
    .map((other) => correctionOf(other, vocabulary));
}

/**
 * The correction of a term beside misspelled ones, at most one. It may be a word and still be misspelled, such as `whether` in
 * `whether forcast`: documents that have what the others mean (`meant`) have a near term much more often than this one.
 */
export function correctBeside(
  { term, expansions }: ExpandedTerm,
  meant: readonly Expansion[],
  vocabulary: Vocabulary,
): Expansion[] {
  if (meant.length === 0 || expansions.length === 0) return [];
  const countBoth = (one: string, other: Expansion): number => vocabulary.lookUp([one, ...other.terms]).count;
  const [best] = nearTerms(term, vocabulary)
    .map((near) => ({
      ...near,
      together: Math.max(
        ...meant.map((other) => {
          const count = countBoth(near.term, other);
          const byChance = (near.count * other.count) / vocabulary.count;
          const least = Math.max(RANKING.least_beside, RANKING.times_beside * byChance);
          return count >= least && count >= RANKING.times * countBoth(term, other) ? count : 0;
        }),
      ),
    }))
    .filter(({ together }) => together > 0)
    .sort((a, b) => b.together - a.together || (a.term < b.term ? -1 : 1));
  return best === undefined ? [] : [correctionOf(best, vocabulary)];
}

type NearTerm = ReturnType<Vocabulary['near']>[number];

const LEAST_LENGTH = 4;
/** From this length on, two edits are allowed. */
const LONG = 7;

function nearTerms(term: string, vocabulary: Vocabulary): readonly NearTerm[] {
  if (term.length < LEAST_LENGTH || isDense(term) || /\d/.test(term)) return [];
  return vocabulary.near(term, term.length >= LONG ? 2 : 1).filter((other) => stemOf(other.term) !== stemOf(term));
}

const correctionOf = ({ term, distance }: NearTerm, vocabulary: Vocabulary): Expansion => ({
  ...vocabulary.lookUp([term]),
  kind: 'typo',
  weight: distance === 1 ? RANKING.typo_1 : RANKING.typo_2,
});

/** The edit distance. A different first letter costs more, because first letters are seldom wrong. */
const costOf =
  (term: string) =>
  ({ term: other, distance }: NearTerm): number =>
    distance + (other[0] === term[0] ? 0 : 0.5);
