import { parentPort, workerData } from 'node:worker_threads';
import { Problem } from '#core/problem/problem.ts';
import { openTreeStore } from './tree-store.ts';
import type { TreeAnswer, TreeCall } from './tree-work.ts';

/** The thread that reads, stores and removes trees, so that the service stays responsive. */

const store = openTreeStore((workerData as { dir: string }).dir);

parentPort?.on('message', ({ id, method, args }: TreeCall) => {
  parentPort?.postMessage(answer(id, () => (store[method] as (...given: unknown[]) => unknown)(...args)));
});

function answer(id: number, work: () => unknown): TreeAnswer {
  try {
    return { id, value: work() };
  } catch (error) {
    if (error instanceof Problem) {
      const { kind, code, reason, message: detail } = error;
      return { id, problem: { kind, code, reason, detail } };
    }
    return { id, thrown: error };
  }
}
