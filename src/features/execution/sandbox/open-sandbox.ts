import { availableParallelism } from 'node:os';
import { embeddedSandbox, findBwrap } from './embedded.ts';
import { proven } from './proven.ts';
import { queued } from './queued.ts';
import type { IsolationLevel, Sandbox } from './sandbox.ts';

export interface SandboxConfig {
  sandbox_min: IsolationLevel;
  /** 0 is one for each core. */
  sandbox_concurrency: number;
  sandbox_queue: number;
}

/** The sandbox as the operator wants it: the strongest level that this machine has, proven before its first run. */
export function openSandbox({ sandbox_min, sandbox_concurrency, sandbox_queue }: SandboxConfig): Sandbox {
  return queued(proven(embeddedSandbox({ bwrap: findBwrap() }), sandbox_min), {
    concurrency: sandbox_concurrency || availableParallelism(),
    waiting: sandbox_queue,
  });
}
