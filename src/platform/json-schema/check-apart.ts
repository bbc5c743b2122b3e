import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createTurns } from '../crypto/turns.ts';
import type { Checked } from './check.ts';
import { schemaFault } from './fault.ts';

/**
 * For schemas that strangers wrote (recursive, exponential, full of slow patterns): looked at in a thread of its own
 * with little memory and a deadline, and never turned into code. A thread that behaved is kept for the next one.
 */

const CHECK_TIMEOUT_MS = 1_000;
/** What a thread may still work when the time is over, on a machine that was busy with other things until then. */
const GRACE_CPU_MS = 500;
const GRACE_MS = 10_000;
const LOOK_MS = 100;
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
    let ended = false;
    const done = (it: Checked | { gone: string } | null) => {
      // By then the thread may be somebody else's.
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      // What it still throws on its way out is nobody's.
      worker.on('error', () => {});
      resolve(it);
    };
    const after = (ms: number, end: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    };
    after(BOOT_TIMEOUT_MS, () => done(null));
    worker.on('message', (said: 'begun' | Checked) => {
      if (said !== 'begun') done(said);
      else
        after(
          CHECK_TIMEOUT_MS,
          () =>
            void spent(worker).then(
              () => done(null),
              () => done(null),
            ),
        );
    });
    worker.on('error', () => done({ gone: 'takes too much memory to check' }));
    worker.on('exit', () => done({ gone: 'cannot be checked' }));
    worker.ref();
    worker.postMessage(asked);
  });
}

/** Resolves when the thread has worked for the grace, or was given long enough to. */
async function spent(worker: Worker): Promise<void> {
  const until = performance.now() + GRACE_MS;
  const before = await worker.cpuUsage();
  for (let used_ms = 0; used_ms < GRACE_CPU_MS && performance.now() < until; ) {
    await sleep(LOOK_MS);
    const { user, system } = await worker.cpuUsage(before);
    used_ms = (user + system) / 1_000;
  }
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
