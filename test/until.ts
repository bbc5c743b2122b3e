import timers from 'node:timers/promises';

/** Long after the slowest machine is done: a test that comes to it has failed. */
const END_MS = 60_000;

/** The real one, also where a test mocks timers. */
const sleep = timers.setTimeout;
const now = performance.now.bind(performance);

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/** Waits for the condition that a test asserts, however slow the machine is, and returns its value. Throws when it never came. */
export async function until<T>(what: string, is: () => T | Promise<T>): Promise<Truthy<T>> {
  const endsAt = now() + END_MS;
  // What is there soon is found soon; what takes long is not asked for so often that it takes longer.
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.2, 50)) {
    const value = await is();
    if (value) return value as Truthy<T>;
    await sleep(waitMs);
    if (now() > endsAt) throw new Error(`Waited ${END_MS / 1_000} s in vain for ${what}.`);
  }
}
