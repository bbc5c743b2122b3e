import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Histogram, type Registry } from 'prom-client';

/**
 * Measures how long the event loop of this thread is blocked, during which no request is answered. The library's
 * percentiles cover the time since the last scrape, in which one long stall among thousands of short turns is
 * invisible.
 */

const RESOLUTION_MS = 10;
const LOOK_MS = 1_000;
const NS = 1e9;
/** No request may block the loop for longer. Shorter delays are not counted. */
const STALL_S = 0.05;

const stalls = new Histogram({
  name: 'capstan_event_loop_stall_seconds',
  help: 'Longest event loop delay within each second, if over 50 ms.',
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [],
});

let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

/** Measured once per thread, for any number of registries. */
export function watchEventLoop(registry: Registry): void {
  registry.registerMetric(stalls);
  if (delays !== undefined) return;
  const watched = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays = watched;
  watched.enable();
  setInterval(() => {
    const heldS = watched.max / NS - RESOLUTION_MS / 1_000;
    watched.reset();
    if (heldS >= STALL_S) stalls.observe(heldS);
  }, LOOK_MS).unref();
}
