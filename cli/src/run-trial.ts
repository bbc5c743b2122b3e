import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from '../../sdk/src/index.ts';
import type { Service } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { facts, safe } from './output.ts';
import { readInput } from './read-input.ts';

/** A run without an account: a few a day, of what the service allows. */

interface TrialAsked {
  ref: string;
  pin: string | undefined;
  input: string | undefined;
  tool: string | undefined;
}

type Trial = Operations['trials']['create']['answer'];

const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled', 'rejected'];

/** Prints the result as of a task, and answers the id of its receipt. Throws if it did not complete. */
export async function runTrial(
  service: Service,
  { ref, pin, input, tool }: TrialAsked,
  keep: (receiptId: string) => Promise<void>,
): Promise<void> {
  const { capstan, world, url } = service;
  const written = await readInput(world, input);
  const body = {
    capability: pin === undefined ? { ref } : { ref, version: pin },
    input: tool === undefined ? written : { tool, arguments: written ?? {} },
    wait_ms: WAIT_MS,
  };
  const made = await service.during(`${ref} without an account`, () => ended(service, capstan.trials.create({ body })));
  const { run, path, runs_left } = made;
  const { receipt_id } = run;
  if (receipt_id !== null) await keep(receipt_id);
  service.show(made, resultText);
  service.say(
    facts({ run: `${url}${path}`, receipt: receipt_id ?? 'none', left: `${runs_left} today; capstan login for more` }),
  );
  if (run.status === 'completed') return;
  throw new Failure(run.error?.code ?? `task.${run.status}`, `The run is ${run.status}: ${whyOf(run)}`, {
    exit_code: EXIT.error,
    fix: 'Sign in with capstan login to see more of your runs.',
  });
}

/** The service waits for some time; then it is asked again. */
async function ended({ capstan, world }: Service, starting: Promise<Trial>): Promise<Trial> {
  const made = await starting;
  const { token } = made;
  let { run } = made;
  while (!ENDED.includes(run.status)) {
    await sleep(LOOK_AGAIN_MS, null, { signal: world.signal });
    run = await capstan.tasks.getShared({ token });
  }
  return { ...made, run };
}

const whyOf = ({ error, status_reason, status }: Trial['run']): string => `${error?.detail ?? status_reason ?? status}`;

const resultText = ({ run: { output } }: Trial): string =>
  output === null || output === undefined
    ? ''
    : typeof output === 'string'
      ? safe(output)
      : JSON.stringify(output, null, 2);
