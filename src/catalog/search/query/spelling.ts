import { RANKING } from '../ranking.ts';
import { stemOf } from '../text/stem.ts';
import { isDense } from '../text/tokenize.ts';
import { type Kind, type KnownTerm, type Stand, standOf, type Vocabulary } from './vocabulary.ts';

/** What a term may have been meant to be, where it is a slip of the fingers. */

const MOST_TYPOS = 3;

/** Only for what is very rare itself: what is common is meant as it is written. */
export function typosOf(term: string, stands: readonly Stand[], vocabulary: Vocabulary): Stand[] {
  const countOf = (...kinds: Kind[]) =>
    Math.max(0, ...stands.filter(({ kind }) => kinds.includes(kind)).map((stand) => stand.count));
  const count = countOf('exact', 'form');
  if (count > RANKING.rare) return [];
  const least = Math.max(1, count * RANKING.times, countOf('prefix') * RANKING.times_prefixed);
  const near = nearTo(term, vocabulary).filter((entry) => entry.count >= least);
  const nearest = Math.min(...near.map(costOf(term)));
  return near
    .filter((entry) => costOf(term)(entry) <= nearest)
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_TYPOS)
    .map((entry) => typoOf(entry, vocabulary));
}

/**
 * Of a word beside others that were slips: it may be a word and a slip, as `whether` in `whether forcast`, which is told by what
 * belongs together with what was meant. At most one.
 */
export function typosBeside({ term, stands }: KnownTerm, meant: readonly Stand[], vocabulary: Vocabulary): Stand[] {
  if (meant.length === 0 || stands.length === 0) return [];
  const together = (one: string, other: Stand): number => vocabulary.entryOf([one, ...other.terms]).count;
  const [best] = nearTo(term, vocabulary)
    .map((entry) => ({
      ...entry,
      found: Math.max(
        ...meant.map((other) => {
          const count = together(entry.term, other);
          const by_chance = (entry.count * other.count) / vocabulary.count;
          const least = Math.max(RANKING.least_beside, RANKING.times_beside * by_chance);
          return count >= least && count >= RANKING.times * together(term, other) ? count : 0;
        }),
      ),
    }))
    .filter(({ found }) => found > 0)
    .sort((a, b) => b.found - a.found || (a.term < b.term ? -1 : 1));
  return best === undefined ? [] : [typoOf(best, vocabulary)];
}

type Near = ReturnType<Vocabulary['near']>[number];

const LEAST_TYPED = 4;
/** From this length on two slips are thought of. */
const LONG = 7;

function nearTo(term: string, vocabulary: Vocabulary): readonly Near[] {
  if (term.length < LEAST_TYPED || isDense(term) || /\d/.test(term)) return [];
  return vocabulary.near(term, term.length >= LONG ? 2 : 1).filter((entry) => !isForm(term, entry.term));
}

const typoOf = ({ term, distance }: Near, vocabulary: Vocabulary): Stand =>
  standOf(vocabulary.entryOf([term]), 'typo', distance === 1 ? RANKING.typo_1 : RANKING.typo_2);

const isForm = (a: string, b: string): boolean => stemOf(a) === stemOf(b);

/** The first letter is seldom wrong. */
const costOf =
  (term: string) =>
  ({ term: other, distance }: Near): number =>
    distance + (other[0] === term[0] ? 0 : 0.5);
