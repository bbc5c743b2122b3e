export interface ScoredHit {
  /** A row of the base, or `-1 - row` for a row of the delta. */
  row: number;
  score: number;
}

/** With its position among all hits, by which ties are broken. */
interface Ranked extends ScoredHit {
  position: number;
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
export function heapOf(most: number): Heap {
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
