import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import threads from 'node:worker_threads';

/**
 * What the permission model leaves open and the engine does not need. Loaded first in the child and, since workers
 * inherit the flag, in each of its workers.
 */

/** The permission model does not apply to workers with their own flags or environment, so these options are dropped. */
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
    return construct(target, [given[0], options], newTarget);
  },
});

const fix = (owner, name, value) =>
  defineProperty(owner, name, { value, enumerable: true, writable: false, configurable: false });

fix(Worker.prototype, 'constructor', Locked);
fix(threads, 'Worker', Locked);
/** Where the server is an ordinary user, so is the child, and could end or slow down the server and other runs. */
for (const name of ['kill', '_kill', '_debugProcess']) fix(process, name, undefined);
fix(os, 'setPriority', undefined);
syncBuiltinESMExports();
