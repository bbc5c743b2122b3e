import { availableParallelism } from 'node:os';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { embeddedSandbox, findBwrap } from './embedded.ts';
import { proven } from './proven.ts';
import { queued } from './queued.ts';
import type { IsolationLevel, Sandbox } from './sandbox.ts';

interface SandboxConfig {
  sandbox_min: IsolationLevel;
  /** 0 is two for each core. */
  sandbox_concurrency: number;
  sandbox_queue: number;
}

/** The sandbox as the operator wants it: the strongest level that this machine has, proven before its first run. */
export function openSandbox(
  { sandbox_min, sandbox_concurrency, sandbox_queue }: SandboxConfig,
  threads: Threads = ALONE,
): Sandbox {
  const embedded = embeddedSandbox({ bwrap: findBwrap() });
  const tested = { ...embedded, selfTest: threads.inFirst('sandbox.selfTest', embedded.selfTest) };
  const limits = { concurrency: sandbox_concurrency || 2 * availableParallelism(), waiting: sandbox_queue };
  return queued(proven(tested, sandbox_min), limits, threads);
}
