import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Attackers in a thread of their own, so that what they cost is not measured as the service's delay: each keeps some
 * requests in progress, at no more than a rate, until it is stopped.
 */

export interface Attack {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Flood {
  attacks: Attack[];
  /** Requests of each attacker at once. */
  in_flight: number;
  /** Of each attacker; in all of its requests together. */
  requests_per_second: number;
}

if (parentPort !== null && workerData !== null) {
  const { attacks, in_flight, requests_per_second } = workerData as Flood;
  const stopping = new AbortController();
  parentPort.once('message', () => stopping.abort());
  const statuses: Record<string, number> = {};
  const pauseMs = (1_000 * in_flight) / requests_per_second;
  async function keepAsking({ url, ...init }: Attack): Promise<void> {
    while (!stopping.signal.aborted) {
      const beganMs = performance.now();
      const answer = await fetch(url, { ...init, signal: stopping.signal }).catch(() => null);
      await answer?.arrayBuffer().catch(() => {});
      const status = `${answer?.status ?? 'cut off'}`;
      if (!stopping.signal.aborted) statuses[status] = (statuses[status] ?? 0) + 1;
      const leftMs = beganMs + pauseMs - performance.now();
      if (leftMs > 0) await sleep(leftMs, null, { signal: stopping.signal }).catch(() => {});
    }
  }
  await Promise.all(attacks.flatMap((attack) => Array.from({ length: in_flight }, () => keepAsking(attack))));
  parentPort.postMessage(statuses);
}
