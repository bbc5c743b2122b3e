import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { KeyProvider } from '../../platform/crypto/secret-keys.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { ReceiptRow } from '../../platform/db/schema-execution.ts';
import type { JobHandler, JobRun } from '../../platform/jobs/worker.ts';
import { Problem } from '../../platform/problem.ts';
import { type Capability, nothing, type Outcome, type ResolveCapability } from '../execution/capability.ts';
import { rejected, type Verdict } from '../execution/run.ts';
import { runCapability } from '../execution/run-capability.ts';
import { type Receipts, type RunBegun, saveReceipt } from '../receipts/receipts.ts';
import { listSpans } from '../traces/spans.ts';
import { digestOfSpans } from '../traces/trace-answer.ts';
import { readTraceparent } from '../traces/traceparent.ts';
import type { Tracing } from '../traces/tracing.ts';
import { callerOf, receiptKeyOf, statusEvent, takeAttempt, timeOf, watchCancel } from './attempt.ts';
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
  receipts: Pick<Receipts, 'intend' | 'sign' | 'wasIntended'>;
  signals: TaskSignals;
  timeout_ms: number;
  /** Called when a task of this user has ended. */
  ended(user_id: string): Promise<void>;
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
    const end = await attemptTask(deps, task, run);
    if (end !== null && (await settle(deps, task, run, end))) {
      deps.signals.changed(task.id);
      await deps.ended(task.user_id);
    }
    return null;
  };

/** How an attempt ends. Null receipt: nothing ran. */
interface End {
  outcome: Outcome;
  trace_id: string | null;
  span_id: string | null;
  receipt: ReceiptRow | null;
}

async function attemptTask(deps: RunTaskDeps, task: Task, run: JobRun): Promise<End | null> {
  const { receipts } = deps;
  if (task.cancel_requested_at !== null) return without(CANCELLED);
  const capability = await resolveAgain(deps, task);
  if ('refused' in capability) return without(capability.refused);
  const begun = await beginningOf(deps, task, capability);
  const previous = task.attempt - 1;
  if (previous > 0 && (await receipts.wasIntended(task.id, previous))) {
    // Its effects are done, or not: nobody can tell, so nobody may do them again.
    if (!capability.repeatable) return interrupted(deps, task, begun);
    if (task.attempt > MOST_ATTEMPTS) return interrupted(deps, task, begun);
  }
  return runOnce(deps, task, run, capability, begun);
}

const CANCELLED: Verdict = { status: 'cancelled', reason: 'cancelled', error: 'The task was cancelled before it ran.' };

const without = (verdict: Verdict): End => ({
  outcome: nothing(verdict),
  trace_id: null,
  span_id: null,
  receipt: null,
});

/** The very thing the task was made for; anything else is refused, not run. */
async function resolveAgain(deps: RunTaskDeps, task: Task): Promise<Capability | { refused: Verdict }> {
  const { capability_kind: kind, capability_ref: ref, capability_version: version } = task;
  try {
    const given = { input: JSON.parse(task.input), digest: task.capability_digest };
    const capability = await deps.resolve({ kind, ref, version }, callerOf(deps.db, deps.clock, task), given);
    if (capability.digest === task.capability_digest) return capability;
    const changed = 'What would run is not what it was when the task was made. Make a new task to run it as it is now.';
    return { refused: rejected('capability_changed', changed) };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { refused: rejected(reasonOf(error), error.message) };
  }
}

/** `execution.version_gone` as a reason reads `version_gone`. */
const reasonOf = ({ code }: Problem): string => code.slice(code.indexOf('.') + 1);

async function beginningOf(deps: RunTaskDeps, task: Task, capability: Capability): Promise<RunBegun> {
  return {
    run_id: task.id,
    attempt: task.attempt,
    subject: subjectOf(capability),
    execution_class: capability.execution_class,
    input: JSON.parse(task.input),
    receipt_key: await receiptKeyOf(deps.db, deps.keys, task),
    user_id: task.user_id,
  };
}

const subjectOf = ({ kind, ref, version, digest }: Capability): RunBegun['subject'] => ({
  name: `${kind}/${ref}@${version}`,
  digest: { sha256: digest.replace(/^sha256:/, '') },
});

async function runOnce(deps: RunTaskDeps, task: Task, run: JobRun, capability: Capability, begun: RunBegun) {
  const { db, clock, signals, tracing } = deps;
  const obstacle = await capability.obstacle();
  if (obstacle !== null) return without(rejected(obstacle.reason, obstacle.detail));
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
      caller: callerOf(db, clock, task),
      limits: { timeout_ms: deps.timeout_ms, output_bytes: OUTPUT_BYTES },
      parent: readTraceparent(task.trace_parent),
      record_content: true,
      on_output: output.add,
      signal: AbortSignal.any([run.signal, cancel.signal]),
      tracing,
    });
    // Cut off by the process's own end: the next attempt begins anew.
    if (run.signal.aborted && !cancel.signal.aborted) throw run.signal.reason;
    return await proven(deps, { begun, intent_sha256, started_at }, result);
  } catch (error) {
    if (error instanceof Problem && error.kind === 'quota_exceeded')
      return without(rejected(reasonOf(error), error.message));
    if (run.signal.aborted || task.attempt < MOST_ATTEMPTS) throw error;
    return interrupted(deps, task, begun);
  } finally {
    await Promise.all([cancel.stop(), output.close()]);
  }
}

interface Begun {
  begun: RunBegun;
  intent_sha256: string;
  started_at: string;
}

async function proven(
  { db, clock, receipts, tracing }: RunTaskDeps,
  { begun, intent_sha256, started_at }: Begun,
  result: Outcome & { trace_id: string; span_id: string },
): Promise<End> {
  const { trace_id, span_id, status, exit_code, output, isolation, engine, network, model, planner } = result;
  if (status === 'rejected') return { outcome: result, trace_id, span_id, receipt: null };
  await tracing.flush();
  const digest = digestOfSpans(await listSpans(db, trace_id, span_id));
  const receipt = await receipts.sign({
    ...begun,
    ...{ intent_sha256, output },
    facts: {
      ...{ started_at, finished_at: timeOf(clock), status, exit_code, model, planner },
      environment: { isolation, engine, network },
      trace: { trace_id, digest },
    },
  });
  return { outcome: result, trace_id, span_id, receipt };
}

/** The end of a run of which nobody knows what it did; its receipt says so. */
async function interrupted({ clock, receipts }: RunTaskDeps, task: Task, begun: RunBegun): Promise<End> {
  const error = 'The run was cut off, and what it had done by then cannot be known. It was not begun again.';
  const outcome = nothing({ status: 'failed', reason: 'interrupted', error });
  const last = { ...begun, attempt: Math.max(1, task.attempt - 1) };
  const receipt = await receipts.sign({
    ...last,
    ...{ intent_sha256: (await receipts.wasIntended(task.id, last.attempt)) ?? '0'.repeat(64), output: null },
    facts: {
      ...{ started_at: task.started_at ?? timeOf(clock), finished_at: timeOf(clock), status: 'interrupted' as const },
      ...{ exit_code: null, model: null, planner: null },
      environment: { isolation: null, engine: null, network: 'none' as const },
      trace: { trace_id: task.trace_id ?? '0'.repeat(32), digest: digestOfSpans([]) },
    },
  });
  return { outcome, trace_id: task.trace_id, span_id: task.span_id, receipt };
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
      output: output === null || output === '' ? null : JSON.stringify(output),
      output_files: output_files.size === 0 ? null : filesText(output_files),
      error: error === null ? null : JSON.stringify({ code: reason, detail: error }),
      ...{ trace_id, span_id },
      receipt_id: receipt?.id ?? null,
      finished_at: now,
    });
    if (ended === undefined) return false;
    if (receipt !== null) await saveReceipt(trx, receipt);
    await appendEvents(trx, task.id, [statusEvent(ended)], now);
    return true;
  });
}
