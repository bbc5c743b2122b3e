import { randomFrom } from '../hostile/mutate.ts';

/** Chance that comes back: the same seed gives the same throws. */
export interface Dice {
  /** A whole number from 0 up to `count`, without it. */
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in so many times. */
  once(inTimes: number): boolean;
}

export function diceOf(seed: number): Dice {
  const below = randomFrom(seed);
  // The first throws of near seeds are near each other.
  for (let skipped = 0; skipped < 3; skipped++) below(2);
  return {
    below,
    pick: <T>(from: readonly T[]) => from[below(from.length)] as T,
    once: (inTimes) => below(inTimes) === 0,
  };
}
