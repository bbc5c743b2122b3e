/**
 * Microseconds of processor time of this thread. Linux adds a thread's time up at clock ticks, 4 ms apart. Reading the time of
 * the process first makes it exact.
 */
function threadTimeUs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Milliseconds of this thread's own work, the least of a few tries: a busy machine does not make it more. */
export function cpuTimeOf(act: () => unknown, enough_ms: number): number {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && bestMs > enough_ms; tries++) {
    const before = threadTimeUs();
    act();
    bestMs = Math.min(bestMs, (threadTimeUs() - before) / 1_000);
  }
  return bestMs;
}

/** Milliseconds of the whole process' work while `act` runs, the least of a few tries. */
export async function processTimeOf(act: () => Promise<unknown>, enough_ms: number): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && bestMs > enough_ms; tries++) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    bestMs = Math.min(bestMs, (user + system) / 1_000);
  }
  return bestMs;
}

/**
 * The longest processor time in milliseconds for which `act` kept this thread's event loop from other work, the least of up to `tries`:
 * the garbage of other tests is collected in between. What other parts of the process do meanwhile adds up over time, but not to one
 * long hold.
 */
export async function heldTimeOf(act: () => Promise<unknown>, { tries = 1, enough_ms = 50 } = {}): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries && bestMs > enough_ms; n++) bestMs = Math.min(bestMs, await longestHoldOf(act));
  return bestMs;
}

async function longestHoldOf(act: () => Promise<unknown>): Promise<number> {
  let longestUs = 0;
  let before = threadTimeUs();
  const look = () => {
    const now = threadTimeUs();
    longestUs = Math.max(longestUs, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  try {
    await act();
  } finally {
    look();
    clearInterval(timer);
  }
  return longestUs / 1_000;
}
