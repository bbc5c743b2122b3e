import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/**
 * Loaded first in the child and, since workers inherit the flag, in each of its workers. Node's permission model ends
 * where a worker brings flags or an environment of its own, so here none can: what is not listed below is dropped.
 */
const KEPT = ['eval', 'name', 'resourceLimits', 'stderr', 'stdin', 'stdout', 'transferList', 'workerData'];
const { Worker } = threads;
// Taken now: code that comes later may replace them to get at the class behind the proxy.
const { construct } = Reflect;
const { create, defineProperty } = Object;

const Locked = new Proxy(Worker, {
  construct(target, given, newTarget) {
    const options = create(null);
    for (let n = 0; n < KEPT.length; n++) {
      const value = given[1]?.[KEPT[n]];
      if (value !== undefined) options[KEPT[n]] = value;
    }
    const args = [given[0], options];
    return construct(target, args, newTarget);
  },
});

defineProperty(Worker.prototype, 'constructor', { value: Locked, writable: false, configurable: false });
defineProperty(threads, 'Worker', { value: Locked, enumerable: true, writable: false, configurable: false });
syncBuiltinESMExports();
