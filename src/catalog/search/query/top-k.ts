import type { Filtered } from './filter.ts';
import { type Heap, heapOf, type Ranked, type ScoredHit } from './heap.ts';
import type { MarketplaceView } from './marketplace-view.ts';

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
