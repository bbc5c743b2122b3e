import type { Filtered } from './filter.ts';
import type { MarketplaceView } from './marketplace-view.ts';

/** The best rows of all parts, best first, until the next query. Ties are in order of downloads. */
export interface TopRows {
  count: number;
  /** 0 for the base, 1 for the delta. */
  parts: Uint8Array;
  rows: Int32Array;
  scores: Float64Array;
}

/** A heap with the worst on top, without an object per row, and the memory for it. `positions` are those in the order of downloads over both parts. */
interface Heap extends TopRows {
  positions: Float64Array;
}

const heapFor = (most: number): Heap => ({
  count: 0,
  parts: new Uint8Array(most),
  rows: new Int32Array(most),
  scores: new Float64Array(most),
  positions: new Float64Array(most),
});

const USUAL = 256;
const usual = heapFor(USUAL);

/** The best `wanted` rows, or all. A page may begin far behind the last match, so the memory is for no more than there are. */
export function topRows(view: MarketplaceView, [base, delta]: readonly Filtered[], wanted: number): TopRows {
  const most = Math.min(wanted, (base?.count ?? 0) + (delta?.count ?? 0));
  const heap = most <= USUAL ? usual : heapFor(most);
  heap.count = 0;
  if (base !== undefined) offerAll(base, heap, most, (row) => row + 1);
  const positions = view.list.delta?.positions.downloads;
  // A row of the delta comes right before the row of the base that follows it, and among rows of the delta in their order.
  if (delta !== undefined && positions !== undefined)
    offerAll(delta, heap, most, (row) => (positions[row] as number) + (row + 1) / (delta.part.segment.count + 2));
  sortHeap(heap);
  return heap;
}

function offerAll({ part, count }: Filtered, heap: Heap, most: number, positionOf: (row: number) => number): void {
  const { rows, scores } = part.scratch;
  let least = heap.count < most ? Number.NEGATIVE_INFINITY : (heap.scores[0] as number);
  for (let i = 0; i < count; i++) {
    const score = scores[i] as number;
    if (score < least) continue;
    const row = rows[i] as number;
    const position = positionOf(row);
    if (heap.count < most) {
      siftUp(heap, part.at, row, score, position);
      if (heap.count === most) least = heap.scores[0] as number;
    } else if (score > least || position < (heap.positions[0] as number)) {
      siftDown(heap, heap.count, part.at, row, score, position);
      least = heap.scores[0] as number;
    }
  }
}

/** Whether an entry of the heap comes after these in the answer. */
function isAfter({ scores, positions }: Heap, at: number, score: number, position: number): boolean {
  const other = scores[at] as number;
  return other < score || (other === score && (positions[at] as number) > position);
}

function place(heap: Heap, at: number, part: number, row: number, score: number, position: number): void {
  heap.parts[at] = part;
  heap.rows[at] = row;
  heap.scores[at] = score;
  heap.positions[at] = position;
}

function copy(heap: Heap, to: number, from: number): void {
  place(
    heap,
    to,
    heap.parts[from] as number,
    heap.rows[from] as number,
    heap.scores[from] as number,
    heap.positions[from] as number,
  );
}

/** Adds an entry. */
function siftUp(heap: Heap, part: number, row: number, score: number, position: number): void {
  let at = heap.count++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    // The worse is above.
    if (!isAfter(heap, parent, score, position)) {
      copy(heap, at, parent);
      at = parent;
    } else break;
  }
  place(heap, at, part, row, score, position);
}

/** Puts an entry in place of the top, in a heap of `count`. */
function siftDown(heap: Heap, count: number, part: number, row: number, score: number, position: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && isAfter(heap, child + 1, heap.scores[child] as number, heap.positions[child] as number))
      child++;
    if (!isAfter(heap, child, score, position)) break;
    copy(heap, at, child);
    at = child;
  }
  place(heap, at, part, row, score, position);
}

/** Best first. */
function sortHeap(heap: Heap): void {
  const { parts, rows, scores, positions } = heap;
  for (let last = heap.count - 1; last > 0; last--) {
    const [part, row, score, position] = [parts[last], rows[last], scores[last], positions[last]];
    copy(heap, last, 0);
    siftDown(heap, last, part as number, row as number, score as number, position as number);
  }
}
