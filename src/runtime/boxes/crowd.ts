import { availableParallelism } from 'node:os';
import type { ProcessUse } from './processes.ts';

/** Judges how many processes a box has over time: which box slows everything on the machine, and which only has many. */

interface Crowd {
  /** Why the box must end, as a sentence; null if it may stay. */
  excess: string | null;
  /** The box starves others: it keeps many processes or threads busy. */
  is_hog: boolean;
  /** It may be judged otherwise soon, so that it should be looked at often. */
  is_crowded: boolean;
  /** It may be a bomb. */
  is_suspect: boolean;
}

/** Programs that need a moment get it; a fork bomb never leaves the limit. */
const LONGEST_FULL_MS = 2_000;
/** A box with half of its limit in processes that all want the processor is a bomb. */
const LONGEST_BOMB_MS = 60;
const LEAST_BOMB = 24;
/** Programs start about as many workers as there are processors, which starves nobody. */
const PER_CORE = 2;

interface Clocked {
  cores?: number;
  now?: () => number;
}

export function watchCrowd(
  limit: number,
  { cores = availableParallelism(), now = () => performance.now() }: Clocked = {},
): (found: ProcessUse) => Crowd {
  const bombSize = Math.max(LEAST_BOMB, limit / 2, PER_CORE * cores);
  const hogSize = Math.max(limit / 4, PER_CORE * cores);
  let fullSinceMs: number | null = null;
  let bombSinceMs: number | null = null;
  let wasHog = false;

  /** Whether the box reached its limit and has had half as many processes since, for too long. Many threads are no bomb. */
  function isFull({ processes, threads }: ProcessUse): boolean {
    if (processes < limit / 2) fullSinceMs = null;
    else if (threads >= limit) fullSinceMs ??= now();
    return fullSinceMs !== null && now() - fullSinceMs > LONGEST_FULL_MS;
  }
  function isBomb({ wanting }: ProcessUse): boolean {
    if (wanting < bombSize) bombSinceMs = null;
    else bombSinceMs ??= now();
    return bombSinceMs !== null && now() - bombSinceMs > LONGEST_BOMB_MS;
  }
  function excessOf(found: ProcessUse): string | null {
    const [full, bomb] = [isFull(found), isBomb(found)];
    if (bomb) return `The box kept ${found.wanting} processes busy at once, with a limit of ${limit}.`;
    return full ? `The box was at its limit of ${limit} processes for 2 s.` : null;
  }
  return (found) => {
    const excess = excessOf(found);
    const isMuch = found.runnable >= hogSize;
    // Two looks in a row, because many threads may wake up at once for an instant.
    const is_hog = isMuch && wasHog;
    wasHog = isMuch;
    const is_suspect = bombSinceMs !== null;
    return { excess, is_hog, is_suspect, is_crowded: is_suspect || isMuch || found.threads >= limit / 2 };
  };
}

/** Of a container, whose engine limits it: what the kernel of the host counts can exceed the limit for a moment. */
export const containerCrowd =
  (limit: number) =>
  ({ processes }: ProcessUse): Crowd => ({
    excess: processes > limit ? `The box started more than ${limit} processes.` : null,
    is_hog: false,
    is_crowded: false,
    is_suspect: false,
  });
