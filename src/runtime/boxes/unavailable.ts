import { runtimeProblem } from '#runtime/errors.ts';
import type { BoxDriver } from './box.ts';

/** A driver that starts no box, and says why. */
export function unavailableDriver(reason: string, fix: string): BoxDriver {
  return {
    isolation: null,
    selfTest: async () => ({ ok: false, isolation: null, text: reason, fix, attacks: [], took_ms: 0 }),
    start: async () => {
      throw runtimeProblem('runs.unavailable', `Packages cannot be run here. ${reason}`, { reason: 'box_unavailable' });
    },
    counts: () => ({ running: 0, memory_bytes: 0 }),
    close: async () => {},
  };
}
