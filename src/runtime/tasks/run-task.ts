import type { Kysely } from 'kysely';
import type { CountQuota } from '#accounts/quotas/quota.ts';
import { shareOfUser } from '#accounts/quotas/share-of-user.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobHandler, JobRun } from '#core/jobs/worker.ts';
import { Problem } from '#core/problem/problem.ts';
import { readTraceparent } from '#core/telemetry/traceparent.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import { type Receipts, saveReceipt } from '#runtime/receipts/receipts.ts';
import type { Capability, ResolveCapability, RunCaller } from '#runtime/runs/capability.ts';
import { rejected, type Verdict } from '#runtime/runs/run.ts';
import { runCapability } from '#runtime/runs/run-capability.ts';
import { callerOf, statusEvent, takeAttempt, timeOf, watchCancel } from './attempt.ts';
import { beginningOf, CUT_OFF, type End, interrupted, proven, withoutRun } from './end.ts';
import { gatherOutput } from './output-events.ts';
import type { TaskSignals } from './signals.ts';
import { filesOf, filesText, type Task } from './task.ts';
import { appendEvents } from './task-events.ts';
import { endTask, isCancelRequested, lockTask } from './tasks.ts';

/** The worker's side of a task: from its turn to its end, exactly one end whatever crashes in between. */

export interface RunTaskDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  resolve: ResolveCapability;
  tracing: Tracing;
  countQuota?: CountQuota;
  receipts: Pick<Receipts, 'intend' | 'sign' | 'lastIntent'>;
  signals: TaskSignals;
  timeout_ms: number;
  /** Called when a task of this user has ended. */
  ended(user_id: string): Promise<void>;
  /** Called when a run of a task has a receipt. */
  proved?: (() => Promise<void>) | undefined;
}

/** How often a run that brings its process down, or meets a bug, is begun again. */
const MOST_ATTEMPTS = 3;
/** Output and files of a task are kept in its row. */
const OUTPUT_BYTES = 1024 * 1024;
const LOOK_FOR_CANCEL_MS = 400;

export const runTask =
  (deps: RunTaskDeps): JobHandler =>
  async (run) => {
    const task = await takeAttempt(deps.db, run, timeOf(deps.clock));
    if (task === undefined) return null;
    deps.signals.changed(task.id);
    const end = await endOf(deps, task, run).catch((error) => {
      // Cut off by the process's own end, or worth another try.
      if (run.signal.aborted || task.attempt < MOST_ATTEMPTS || mayPass(error)) throw error;
      return givenUp(deps, task, error);
    });
    if (await settle(deps, task, run, end)) {
      deps.signals.changed(task.id);
      await deps.ended(task.user_id);
      if (end.receipt !== null) await deps.proved?.();
    }
    return null;
  };

/** What is not the task's fault, such as a database that is away or a key that the operator left out: it waits. */
function mayPass(error: unknown): boolean {
  const known = explainDatabaseFailure(error);
  return known instanceof Problem && known.kind === 'unavailable';
}

const CANCELLED: Verdict = { status: 'cancelled', reason: 'cancelled', error: 'The task was cancelled before it ran.' };
const CANCELLED_CUT_OFF: Verdict = {
  ...CANCELLED,
  error: 'The task was cancelled. A run of it had begun and was cut off; what it had done by then cannot be known.',
};

async function endOf(deps: RunTaskDeps, task: Task, run: JobRun): Promise<End> {
  // An earlier attempt that never came back: its effects are done, or not, and nobody can tell.
  const cut_off = await deps.receipts.lastIntent(task.id);
  if (task.cancel_requested_at !== null)
    return cut_off === undefined ? withoutRun(CANCELLED) : interrupted(deps, task, cut_off, CANCELLED_CUT_OFF);
  const capability = await resolveAgain(deps, task);
  if (cut_off !== undefined) {
    const again = !('refused' in capability) && capability.repeatable && task.attempt <= MOST_ATTEMPTS;
    if (!again) return interrupted(deps, task, cut_off, CUT_OFF);
  }
  return 'refused' in capability ? withoutRun(capability.refused) : runOnce(deps, task, run, capability);
}

const callerOfTask = async (deps: RunTaskDeps, task: Task): Promise<RunCaller> =>
  callerOf(deps, task, await shareOfUser(deps.db, task.user_id, deps.clock.now()));

/** The very thing the task was made for, and able to run; anything else is refused, not run. */
async function resolveAgain(deps: RunTaskDeps, task: Task): Promise<Capability | { refused: Verdict }> {
  const { capability_kind: kind, capability_ref: ref, capability_version: version } = task;
  try {
    const given = { input: JSON.parse(task.input), digest: task.capability_digest };
    const capability = await deps.resolve({ kind, ref, version }, await callerOfTask(deps, task), given);
    if (capability.digest !== task.capability_digest) return { refused: CHANGED };
    const obstacle = await capability.obstacle();
    return obstacle === null ? capability : { refused: rejected(obstacle.reason, obstacle.detail) };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { refused: rejected(reasonOf(error), error.message) };
  }
}

const CHANGED = rejected(
  'capability_changed',
  'What would run is not what it was when the task was made. Make a new task to run it as it is now.',
);

/** `execution.version_gone` as a reason reads `version_gone`. */
const reasonOf = ({ code }: Problem): string => code.slice(code.indexOf('.') + 1);

async function runOnce(deps: RunTaskDeps, task: Task, run: JobRun, capability: Capability): Promise<End> {
  const { db, clock, signals, tracing } = deps;
  const begun = await beginningOf(deps, task);
  const intent_sha256 = await deps.receipts.intend(begun);
  const cancel = watchCancel(
    () => isCancelRequested(db, task.id),
    (signal) => signals.wait(task.id, LOOK_FOR_CANCEL_MS, signal),
  );
  const output = gatherOutput(async (events) => {
    await db.transaction().execute(async (trx) => {
      if (await lockTask(trx, task)) await appendEvents(trx, task.id, events, timeOf(clock));
    });
    signals.changed(task.id);
  });
  const started_at = timeOf(clock);
  try {
    const result = await runCapability(capability, {
      input: begun.input,
      input_files: filesOf(task.input_files),
      caller: await callerOfTask(deps, task),
      limits: { timeout_ms: deps.timeout_ms, output_bytes: OUTPUT_BYTES },
      link: readTraceparent(task.trace_parent),
      record_content: true,
      on_output: output.add,
      signal: AbortSignal.any([run.signal, cancel.signal]),
      tracing,
    });
    // Cut off by the process's own end: the next attempt begins anew.
    if (run.signal.aborted && !cancel.signal.aborted) throw run.signal.reason;
    return await proven(deps, { ...begun, intent_sha256, started_at }, result, capability);
  } catch (error) {
    if (error instanceof Problem && error.kind === 'quota_exceeded')
      return withoutRun(rejected(reasonOf(error), error.message));
    throw error;
  } finally {
    await Promise.all([cancel.stop(), output.close()]);
  }
}

/** The end of a task that fails at every try, so that it does not go on for ever. */
async function givenUp(deps: RunTaskDeps, task: Task, error: unknown): Promise<End> {
  const cut_off = await deps.receipts.lastIntent(task.id);
  if (cut_off !== undefined) return interrupted(deps, task, cut_off, CUT_OFF);
  const known = error instanceof Problem;
  return withoutRun({
    status: 'failed',
    reason: known ? reasonOf(error) : 'internal',
    error: known ? error.message : 'Something went wrong here at every try. Nothing ran.',
  });
}

/** One transaction: the end, its receipt and its event stand together, and only while the lease does. */
async function settle({ db, clock }: RunTaskDeps, task: Task, { fence }: JobRun, end: End): Promise<boolean> {
  const { outcome, trace_id, span_id, receipt } = end;
  const { status, reason, error, output, output_files } = outcome;
  const now = timeOf(clock);
  return db.transaction().execute(async (trx) => {
    await fence(trx);
    const ended = await endTask(trx, task, {
      status,
      status_reason: reason,
      output: output === null ? null : JSON.stringify(output),
      output_files: output_files.size === 0 ? null : filesText(output_files),
      error: error === null ? null : JSON.stringify({ code: reason, detail: error }),
      trace_id,
      span_id,
      receipt_id: receipt?.id ?? null,
      finished_at: now,
    });
    if (ended === undefined) return false;
    if (receipt !== null) await saveReceipt(trx, receipt);
    await appendEvents(trx, task.id, [statusEvent(ended)], now);
    return true;
  });
}
