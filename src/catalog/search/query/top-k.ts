import type { Filtered } from './filter.ts';
import type { MarketplaceView } from './marketplace-view.ts';

export interface ScoredHit {
  /** A row of the base, or `-1 - row` for a row of the delta. */
  row: number;
  score: number;
}

/** With its position in the order of downloads over both parts. */
interface Ranked extends ScoredHit {
  position: number;
}

/** One page of the best hits. Ties are in order of downloads. */
export function topHits(
  view: MarketplaceView,
  [base, delta]: readonly Filtered[],
  { limit, offset }: { limit: number; offset: number },
): ScoredHit[] {
  const heap = heapOf(offset + limit);
  if (base !== undefined) offerAll(base, heap, (row) => ({ row, position: row + 1 }));
  const positions = view.list.delta?.positions.downloads;
  // A row of the delta comes right before the row of the base that follows it, and among rows of the delta in their order.
  if (delta !== undefined && positions !== undefined)
    offerAll(delta, heap, (row) => ({
      row: -1 - row,
      position: (positions[row] as number) + (row + 1) / (delta.part.segment.count + 2),
    }));
  return heap
    .sorted()
    .slice(offset)
    .map(({ row, score }) => ({ row, score }));
}

function offerAll({ part, count }: Filtered, heap: Heap, rankedOf: (row: number) => Omit<Ranked, 'score'>): void {
  const { rows, scores } = part.scratch;
  for (let i = 0; i < count; i++) {
    const score = scores[i] as number;
    if (score >= heap.least()) heap.offer({ ...rankedOf(rows[i] as number), score });
  }
}

const isBefore = (a: Ranked, b: Ranked): boolean =>
  a.score > b.score || (a.score === b.score && a.position < b.position);

interface Heap {
  /** A hit with a lower score is not among the best. */
  least(): number;
  offer(hit: Ranked): void;
  sorted(): Ranked[];
}

/** Keeps the best `most` hits. The worst of them is on top. */
function heapOf(most: number): Heap {
  const kept: Ranked[] = [];
  const siftDown = (from: number): void => {
    for (let at = from; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < kept.length && isBefore(kept[worst] as Ranked, kept[child] as Ranked)) worst = child;
      if (worst === at) return;
      [kept[at], kept[worst]] = [kept[worst] as Ranked, kept[at] as Ranked];
      at = worst;
    }
  };
  const siftUp = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(kept[parent] as Ranked, kept[at] as Ranked)) return;
      [kept[at], kept[parent]] = [kept[parent] as Ranked, kept[at] as Ranked];
      at = parent;
    }
  };
  return {
    least: () => (kept.length < most ? Number.NEGATIVE_INFINITY : (kept[0] as Ranked).score),
    offer(hit) {
      if (kept.length < most) {
        kept.push(hit);
        siftUp(kept.length - 1);
      } else if (isBefore(hit, kept[0] as Ranked)) {
        kept[0] = hit;
        siftDown(0);
      }
    },
    sorted: () => kept.sort((a, b) => (isBefore(a, b) ? -1 : 1)),
  };
}
