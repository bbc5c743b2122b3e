import { parentPort } from 'node:worker_threads';
import { type NearestHits, type NearestRequest, nearestRows } from '../query/nearest-rows.ts';

/** Entry of the thread that compares vectors, because a scan of many takes longer than a request may hold the event loop. */

export interface ToScanner {
  id: number;
  request: NearestRequest;
}
export interface FromScanner {
  id: number;
  nearest: NearestHits[];
}

parentPort?.on('message', ({ id, request }: ToScanner) => {
  parentPort?.postMessage({ id, nearest: nearestRows(request) } satisfies FromScanner);
});
