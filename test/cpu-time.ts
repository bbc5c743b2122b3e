/** Milliseconds of this thread's own work, the least of a few tries: a busy machine does not make it more. */
export function cpuTimeOf(act: () => unknown, enough_ms: number): number {
  let best_ms = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && best_ms > enough_ms; tries++) {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    best_ms = Math.min(best_ms, (user + system) / 1_000);
  }
  return best_ms;
}

/** Milliseconds of the whole process' work while `act` runs, the least of a few tries. */
export async function processTimeOf(act: () => Promise<unknown>, enough_ms: number): Promise<number> {
  let best_ms = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && best_ms > enough_ms; tries++) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    best_ms = Math.min(best_ms, (user + system) / 1_000);
  }
  return best_ms;
}
