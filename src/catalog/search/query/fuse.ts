import { RANKING } from '../ranking.ts';
import type { Aid } from './aid.ts';
import type { ScoredHit } from './heap.ts';

/** Where a hit was before models were asked, and how it got where it is. Places count from 1. */
export interface AidedPlace {
  /** By words; null if it is not among the first 100. */
  words_place: number | null;
  /** By meaning, among what passes the filters; null if it is not among the nearest. */
  meaning_place: number | null;
  /** The cosine of the vectors. */
  similarity: number | null;
  /** 1 / (10 + place) by words, and the same by meaning times its weight. */
  fused: number;
  /** Its place before it was reranked; null if it was not. */
  reranked_from: number | null;
}

export interface AidedHit extends ScoredHit {
  aided: AidedPlace;
}

/**
 * The order by words and the one by meaning as one, by reciprocal rank over the first of both, then what a reranker moved. Further
 * matches follow in the order of their words. `byWords` is that order, without what has none of the words. `scoreOf` gives the points of
 * words; null if a hit does not pass the filters.
 */
export function fuse(
  byWords: readonly ScoredHit[],
  { nearest, weight, first }: Pick<Aid, 'nearest' | 'weight' | 'first'>,
  scoreOf: (hit: number) => number | null,
): AidedHit[] {
  const places = new Map<number, AidedHit>();
  byWords.forEach(({ row, score }, at) => {
    const place = at + 1;
    const isFirst = place <= RANKING.fusion.first;
    places.set(row, { row, score, aided: isFirst ? { ...NOWHERE, words_place: place, fused: share(place) } : NOWHERE });
  });
  let meaning_place = 0;
  for (const [at, row] of nearest.hits.entries()) {
    const score = scoreOf(row);
    if (score === null) continue;
    meaning_place++;
    const byWord = places.get(row);
    const aided = byWord?.aided ?? NOWHERE;
    const similarity = nearest.similarities[at] as number;
    const fused = aided.fused + weight * share(meaning_place);
    // The order by words may have added points to the score.
    places.set(row, { row, score: byWord?.score ?? score, aided: { ...aided, meaning_place, similarity, fused } });
  }
  // Sorting keeps the order of ties: that of words, then that of meaning.
  const hits = [...places.values()].sort((a, b) => b.aided.fused - a.aided.fused);
  return first.length === 0 ? hits : reranked(hits, first);
}

/**
 * How many hits by words a page needs: as many as are on it or before it, as many as can come before those by their meaning alone or be in
 * front already, and those whose places count.
 */
export const mostByWords = ({ limit, offset }: { limit: number; offset: number }, { nearest }: Aid): number =>
  offset + limit + nearest.hits.length + RANKING.fusion.first;

const NOWHERE: AidedPlace = {
  words_place: null,
  meaning_place: null,
  similarity: null,
  fused: 0,
  reranked_from: null,
};

const share = (place: number): number => 1 / (RANKING.fusion.k + place);

/** Only the first hits move, and only among themselves, whatever the reranker says. */
function reranked(hits: readonly AidedHit[], first: readonly number[]): AidedHit[] {
  const head = hits.slice(0, RANKING.fusion.reranked);
  const places = new Map(head.map(({ row }, at) => [row, at]));
  const moved = [...new Set(first)].flatMap((row) => places.get(row) ?? []);
  const others = head.flatMap((_, at) => (moved.includes(at) ? [] : [at]));
  const ordered = [...moved, ...others].map((at) => {
    const hit = head[at] as AidedHit;
    return { ...hit, aided: { ...hit.aided, reranked_from: at + 1 } };
  });
  return [...ordered, ...hits.slice(head.length)];
}
