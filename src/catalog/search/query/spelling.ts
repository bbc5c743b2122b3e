import { RANKING } from '../ranking.ts';
import { isEnglish } from '../text/english-words.ts';
import { soundOf } from '../text/sound.ts';
import { stemOf } from '../text/stem.ts';
import { isDense } from '../text/tokenize.ts';
import type { ExpandedTerm, Expansion, ExpansionKind, Vocabulary } from './vocabulary.ts';

const MOST_CORRECTIONS = 3;

/**
 * What a misspelled term may mean, the likeliest first. Only for very rare terms that are no English words: a common one is spelled as
 * intended.
 */
export function correctionsFor(term: string, expansions: readonly Expansion[], vocabulary: Vocabulary): Expansion[] {
  const countOf = (...kinds: ExpansionKind[]) =>
    Math.max(0, ...expansions.filter(({ kind }) => kinds.includes(kind)).map(({ count }) => count));
  if (countOf('exact') > RANKING.rare || isEnglish(term)) return [];
  // A form of a word that is nowhere else is a slip, too: `kubernets`.
  const isNowhere = countOf('exact') === 0;
  const others = isNowhere ? countOf('prefix') : countOf('form', 'prefix');
  const least = Math.max(1, countOf('exact') * RANKING.times, others * RANKING.times_other);
  return similarTerms(term, vocabulary)
    .filter((other) => isNowhere || stemOf(other.term) !== stemOf(term))
    .filter((other) => other.count >= least)
    .map((other) => ({ ...other, likely: likelihoodOf(term, other) }))
    .sort((a, b) => b.likely - a.likely || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_CORRECTIONS)
    .map((other) => correctionOf(other, vocabulary));
}

interface SimilarTerm extends Omit<NearTerm, 'distance'> {
  /** Null if only the sound is similar. */
  distance: number | null;
  isAlike: boolean;
}

/** Terms that look like this one, and terms that sound like it. */
function similarTerms(term: string, vocabulary: Vocabulary): SimilarTerm[] {
  if (!isWord(term)) return [];
  const sound = soundOf(term);
  const near = nearTerms(term, vocabulary);
  const known = new Set(near.map((other) => other.term));
  return [
    ...near.map((other) => ({ ...other, isAlike: soundOf(other.term) === sound })),
    ...vocabulary
      .sounding(term)
      .filter((other) => !known.has(other.term))
      .map((other) => ({ ...other, distance: null, isAlike: true })),
  ];
}

/** How likely a term is meant, as a logarithm: how frequent it is, against how different it is. */
function likelihoodOf(term: string, { term: other, count, distance, isAlike }: SimilarTerm): number {
  const { spelling } = RANKING;
  const first = other[0] === term[0] || isAlike ? 0 : spelling.first_letter;
  const sameConsonants = consonantsOf(soundOf(other)) === consonantsOf(soundOf(term)) ? spelling.consonants : 0;
  const edits = Math.min((distance ?? Infinity) - sameConsonants, isAlike ? spelling.alike : Infinity) + first;
  return Math.log(count) - spelling.edit * edits + (isEnglish(other) ? spelling.english : 0);
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
    .filter((near) => stemOf(near.term) !== stemOf(term))
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

/** What is right in most misspelled words. */
const consonantsOf = (sound: string): string => sound.replace(/[aeiou*]/g, '');

const isWord = (term: string): boolean => term.length >= LEAST_LENGTH && !isDense(term) && !/\d/.test(term);

function nearTerms(term: string, vocabulary: Vocabulary): readonly NearTerm[] {
  if (!isWord(term)) return [];
  return vocabulary.near(term, term.length >= LONG ? 2 : 1);
}

const correctionOf = (
  { term, distance }: { term: string; distance: number | null },
  vocabulary: Vocabulary,
): Expansion => ({
  ...vocabulary.lookUp([term]),
  kind: 'typo',
  weight: distance === 1 ? RANKING.typo_1 : RANKING.typo_2,
});
