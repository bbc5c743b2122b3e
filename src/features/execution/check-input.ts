import { Worker } from 'node:worker_threads';
import { createTurns } from '../../platform/crypto/turns.ts';
import { type FieldError, Problem } from '../../platform/problem.ts';
import type { Capability } from './capability.ts';
import { jsonFault } from './keepable.ts';
import { type Checked, checkAgainst } from './schema-check.ts';
import { schemaFault } from './schema-fault.ts';

/**
 * The input of a run against its capability's schema. A stranger's schema (recursive, exponential, full of slow
 * patterns) is looked at in a thread of its own with little memory and a deadline, and is never turned into code.
 */

const CHECK_TIMEOUT_MS = 1_000;
const BOOT_TIMEOUT_MS = 5_000;
const HEAP_MB = 64;
const AT_ONCE = 2;
const MOST_WAITING = 100;

const WORKER = new URL('./schema-check-worker.ts', import.meta.url);
const turns = createTurns(AT_ONCE, MOST_WAITING);

/** Throws `execution.input_unfit` with pointers, or `execution.schema_unusable` where nobody can tell. */
export async function checkInput(capability: Pick<Capability, 'kind' | 'name' | 'input_schema'>, input: unknown) {
  const { kind, name, input_schema } = capability;
  const fault = jsonFault(input);
  if (fault !== null) throw unfit(name, [{ pointer: '', detail: fault }]);
  if (input_schema === null) return;
  const checked = kind === 'skill' ? checkAgainst(input_schema, input) : await checkApart(input_schema, input);
  if ('unusable' in checked) throw unusable(name, checked.unusable);
  if (checked.errors.length > 0) throw unfit(name, checked.errors);
}

/** For schemas that strangers wrote. */
export async function checkApart(schema: Record<string, unknown>, input: unknown): Promise<Checked> {
  const fault = schemaFault(schema);
  if (fault !== null) return { unusable: fault };
  const checked = turns(() => inThread(schema, input));
  if (checked === null)
    throw new Problem('unavailable', 'execution.check_busy', 'Too many inputs are being checked; ask again in 2 s.', {
      headers: { 'retry-after': '2' },
    });
  return checked;
}

/** The deadline begins with the check itself: how long a thread takes to start says nothing of the schema. */
async function inThread(schema: Record<string, unknown>, input: unknown): Promise<Checked> {
  const worker = new Worker(WORKER, {
    workerData: { schema, input },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Checked>((resolve) => {
      const after = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve({ unusable: 'takes too long to check' }), ms);
      };
      after(BOOT_TIMEOUT_MS);
      worker.on('message', (said: 'begun' | Checked) => (said === 'begun' ? after(CHECK_TIMEOUT_MS) : resolve(said)));
      worker.on('error', () => resolve({ unusable: 'takes too much memory to check' }));
      worker.on('exit', () => resolve({ unusable: 'cannot be checked' }));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const unfit = (name: string, errors: FieldError[]): Problem =>
  new Problem('unprocessable', 'execution.input_unfit', `The input does not fit what ${name} takes.`, { errors });

const unusable = (name: string, why: string): Problem =>
  new Problem('unprocessable', 'execution.schema_unusable', `The input schema of ${name} ${why}; it is not run.`);
