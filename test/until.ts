import { setTimeout as sleep } from 'node:timers/promises';

/** Long after the slowest machine is done: a test that comes to it has failed. */
const END_MS = 30_000;

/** Waits for the very thing that a test asserts, however slow the machine is; in the end it throws what did not come. */
export async function until(what: string, is: () => unknown): Promise<void> {
  for (const ends_at = performance.now() + END_MS; !(await is()); await sleep(5))
    if (performance.now() > ends_at) throw new Error(`It did not come in ${END_MS / 1_000} s: ${what}.`);
}
