/**
 * Takes a box that is kept, or starts it. One that ends before its first call counts as a failed start, so that it is started less
 * and less often.
 */

interface LeaseOptions<Box, Lease, Failed> {
  /** The running box, or null. */
  take(): Lease | null;
  /** Starts the box, or joins its start. Waits as long as it has to after earlier failures. */
  start(): Promise<{ ok: true; box: Box } | Failed>;
  hasEnded(box: Box): boolean;
  /** Called for each call that found its box ended. */
  onUnused(box: Box): void;
}

/** One call starts a box that ends at once so many times. */
const MOST_STARTS = 3;

/** Answers the last box with `ended` if none stayed. */
export async function leaseKept<Box, Lease, Failed extends { ok: false }>({
  take,
  start,
  hasEnded,
  onUnused,
}: LeaseOptions<Box, Lease, Failed>): Promise<{ lease: Lease } | { failed: Failed } | { ended: Box }> {
  let last: Box | null = null;
  for (let starts = 0; ; ) {
    const lease = take();
    if (lease !== null) return { lease };
    // Otherwise it was retired: for its place, or for newer credentials.
    if (last !== null && hasEnded(last)) {
      onUnused(last);
      if (++starts === MOST_STARTS) return { ended: last };
    }
    const started = await start();
    if (!started.ok) return { failed: started };
    last = started.box;
  }
}
