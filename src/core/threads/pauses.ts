import { ownTurn } from './own-turn.ts';

/** Work without a pause is this long, or as long as one of its steps. */
const LONGEST_MS = 5;

/**
 * Splits long work over turns of the event loop: await the returned function before each step. It waits for a turn when the steps
 * since the last one took long enough, so that short work is not delayed.
 */
export function pauses(longest_ms = LONGEST_MS): () => Promise<void> | undefined {
  let beganMs = performance.now();
  const begin = (): void => {
    beganMs = performance.now();
  };
  return () => (performance.now() - beganMs < longest_ms ? undefined : ownTurn().then(begin));
}
