import { LEVELS, type Level } from '#catalog/items/verification.ts';

/** Selects featured capabilities by proof here, not by popularity elsewhere. Pure. */

export interface Proven {
  id: string;
  listing_type: string;
  /** The publisher's id, or the author as its provider names them. */
  maker: string;
  level: Level;
  hot_score: number;
  reason: string;
}

/** By level, then by hot score, with one per maker and alternating types, so that neither dominates. */
export function pickProven(all: readonly Proven[], taken: ReadonlySet<string>, most: number): Proven[] {
  const makers = new Set<string>();
  const best = all
    .filter(({ id }) => !taken.has(id))
    .toSorted((a, b) => rankOf(b.level) - rankOf(a.level) || b.hot_score - a.hot_score || (a.id < b.id ? -1 : 1))
    .filter(({ maker }) => !makers.has(maker) && makers.add(maker));
  const queues = [...Map.groupBy(best, (proven) => proven.listing_type).values()];
  const picked: Proven[] = [];
  for (let turn = 0; picked.length < most && queues.some((queue) => turn < queue.length); turn++)
    picked.push(...queues.flatMap((queue) => queue.slice(turn, turn + 1)));
  return picked.slice(0, most);
}

const rankOf = (level: Level): number => LEVELS.indexOf(level);
