import { editDistance } from './edit-distance.ts';

const MOST_CHARS = 64;
/** More candidates would make one mistyped name take noticeable time. */
const MOST_CANDIDATES = 1_000;
/** Words of this many letters or fewer are too common to suggest a name. */
const SHORT_WORD = 2;

/** Up to three names that share a word with `name` or differ from it by a few letters, nearest first. */
export function closeNames(name: string, names: Iterable<string>): string[] {
  const wanted = name.slice(0, MOST_CHARS).toLowerCase();
  const words = new Set(wordsOf(wanted).filter((word) => word.length > SHORT_WORD));
  return Iterator.from(names)
    .take(MOST_CANDIDATES)
    .filter((candidate) => candidate.length <= 2 * MOST_CHARS)
    .map((candidate) => {
      const folded = candidate.toLowerCase();
      const shared = wordsOf(folded).filter((word) => words.has(word)).length;
      const most = Math.max(2, candidate.length / 4);
      // A difference in length is a lower bound of the distance, and far cheaper.
      const isFar = Math.abs(folded.length - wanted.length) > most;
      const distance = isFar ? Number.POSITIVE_INFINITY : editDistance(wanted, folded);
      return { candidate, shared, distance, near: distance <= most };
    })
    .filter(({ shared, near }) => shared > 0 || near)
    .toArray()
    .sort((a, b) => Number(b.near) - Number(a.near) || b.shared - a.shared || compare(a.distance, b.distance))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u);

/** Infinite distances are equal, although their difference is NaN. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
