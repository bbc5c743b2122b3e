import type { Sifted } from './filter.ts';
import type { IndexView } from './marketplace-view.ts';

/** The best of what was found: highest score first, equal ones by downloads, then as lists have them. */

export interface Hit {
  /** 0 and above in the base, `-1 - row` in the delta. */
  row: number;
  score: number;
}

/** With its place among the base's rows, which stand in order of downloads; of the delta's those before that row. */
interface Placed extends Hit {
  place: number;
}

export function bestOf(
  view: IndexView,
  [base, delta]: readonly Sifted[],
  { limit, offset }: { limit: number; offset: number },
): Hit[] {
  const heap = heapOf(offset + limit);
  if (base !== undefined) gather(base, heap, (row) => ({ row, place: row + 1 }));
  const places = view.list.delta?.places.downloads;
  // Half a place before the base's row, and among each other in the order of their own rows.
  if (delta !== undefined && places !== undefined)
    gather(delta, heap, (row) => ({
      row: -1 - row,
      place: (places[row] as number) + (row + 1) / (delta.part.segment.count + 2),
    }));
  return heap
    .sorted()
    .slice(offset)
    .map(({ row, score }) => ({ row, score }));
}

function gather({ part, count }: Sifted, heap: Heap, placeOf: (row: number) => Omit<Placed, 'score'>): void {
  const { rows, scores } = part.scratch;
  for (let i = 0; i < count; i++) {
    const score = scores[i] as number;
    if (score >= heap.least()) heap.offer({ ...placeOf(rows[i] as number), score });
  }
}

const isBefore = (a: Placed, b: Placed): boolean => a.score > b.score || (a.score === b.score && a.place < b.place);

interface Heap {
  /** What is below it will not be among the best. */
  least(): number;
  offer(hit: Placed): void;
  sorted(): Placed[];
}

/** Keeps the best `most`, the worst of them on top. */
function heapOf(most: number): Heap {
  const kept: Placed[] = [];
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < kept.length && isBefore(kept[worst] as Placed, kept[child] as Placed)) worst = child;
      if (worst === at) return;
      [kept[at], kept[worst]] = [kept[worst] as Placed, kept[at] as Placed];
      at = worst;
    }
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!isBefore(kept[above] as Placed, kept[at] as Placed)) return;
      [kept[at], kept[above]] = [kept[above] as Placed, kept[at] as Placed];
      at = above;
    }
  };
  return {
    least: () => (kept.length < most ? Number.NEGATIVE_INFINITY : (kept[0] as Placed).score),
    offer(hit) {
      if (kept.length < most) {
        kept.push(hit);
        rise(kept.length - 1);
      } else if (isBefore(hit, kept[0] as Placed)) {
        kept[0] = hit;
        sink(0);
      }
    },
    sorted: () => kept.sort((a, b) => (isBefore(a, b) ? -1 : 1)),
  };
}
