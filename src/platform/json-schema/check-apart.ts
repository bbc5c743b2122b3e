import { Worker } from 'node:worker_threads';
import { createTurns } from '../crypto/turns.ts';
import type { Checked } from './check.ts';
import { schemaFault } from './fault.ts';

/**
 * For schemas that strangers wrote (recursive, exponential, full of slow patterns): looked at in a thread of its own
 * with little memory and a deadline, and never turned into code. A thread that behaved is kept for the next one.
 */

const CHECK_TIMEOUT_MS = 1_000;
const BOOT_TIMEOUT_MS = 5_000;
const IDLE_MS = 30_000;
const HEAP_MB = 64;
const AT_ONCE = 2;
const MOST_WAITING = 100;

const WORKER = new URL('./check-worker.ts', import.meta.url);
const turns = createTurns(AT_ONCE, MOST_WAITING);
const idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];

/** `busy` where too many wait already. */
export async function checkApart(schema: Record<string, unknown>, input: unknown): Promise<Checked | { busy: true }> {
  const fault = schemaFault(schema);
  if (fault !== null) return { unusable: fault };
  return turns(() => inThread(schema, input)) ?? { busy: true };
}

async function inThread(schema: Record<string, unknown>, input: unknown): Promise<Checked> {
  const worker = taken() ?? started();
  const checked = await answerOf(worker, { schema, input });
  if (checked === null || 'gone' in checked) {
    await worker.terminate();
    return { unusable: checked?.gone ?? 'takes too long to check' };
  }
  keep(worker);
  return checked;
}

/** The deadline begins with the check itself: how long a thread takes to start says nothing of the schema. */
function answerOf(worker: Worker, asked: object): Promise<Checked | { gone: string } | null> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const done = (it: Checked | { gone: string } | null) => {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      // What it still throws on its way out is nobody's.
      worker.on('error', () => {});
      resolve(it);
    };
    const after = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => done(null), ms);
    };
    after(BOOT_TIMEOUT_MS);
    worker.on('message', (said: 'begun' | Checked) => (said === 'begun' ? after(CHECK_TIMEOUT_MS) : done(said)));
    worker.on('error', () => done({ gone: 'takes too much memory to check' }));
    worker.on('exit', () => done({ gone: 'cannot be checked' }));
    worker.ref();
    worker.postMessage(asked);
  });
}

const started = (): Worker =>
  new Worker(WORKER, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 },
  });

function taken(): Worker | undefined {
  const last = idle.pop();
  clearTimeout(last?.timer);
  return last?.worker;
}

/** Holds no process open. */
function keep(worker: Worker): void {
  worker.unref();
  const timer = setTimeout(() => {
    idle.splice(idle.indexOf(kept), 1);
    void worker.terminate();
  }, IDLE_MS).unref();
  const kept = { worker, timer };
  idle.push(kept);
}
