import type { Kysely } from 'kysely';
import type { CountQuota } from '#accounts/quotas/quota.ts';
import { shareOfUser } from '#accounts/quotas/share-of-user.ts';
import { HOUSE_IDS } from '#accounts/users/house-accounts.ts';
import type { QuestionDesk } from '#connections/questions/question-desk.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import type { JobHandler, JobRun } from '#core/jobs/worker.ts';
import { readTraceparent } from '#core/telemetry/traceparent.ts';
import type { Attempt, RunEnd, RunWatch } from '#runtime/runs/attempt.ts';
import { counted } from '#runtime/runs/caller.ts';
import type { RunCaller } from '#runtime/runs/capability.ts';
import type { Runs } from '#runtime/runs/open-runs.ts';
import type { RunTarget } from '#runtime/runs/receipt.ts';
import { type AskOwner, taskAsking } from './ask-owner.ts';
import { givenOf } from './given.ts';
import { gatherOutput } from './output-events.ts';
import type { TaskChannel } from './pub-sub.ts';
import { receiptKeyOf } from './receipt-key.ts';
import { filesOf, filesText, type Task } from './task.ts';
import { appendEvents, statusEvent } from './task-events.ts';
import { endTask, isCancelRequested, lockTask, noteTask, takeTask } from './tasks.ts';

/** Runs a task in a worker: starts an attempt under the job's lease, and has `runs` complete it. */

export interface RunTaskDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  runs: Pick<Runs, 'attempt'>;
  countQuota?: CountQuota;
  channel: TaskChannel;
  questions: QuestionDesk;
  /** How many tasks run at once in this process. */
  concurrency: number;
  timeout_ms: number;
  /** Called when a task of this user has ended. */
  ended(userId: string): Promise<void>;
  /** Called when a run of a task has a receipt. */
  proved?: (() => Promise<void>) | undefined;
}

/** Output and files of a task are kept in its row. */
const OUTPUT_BYTES = 1024 * 1024;
const HOUSE_OUTPUT_BYTES = 128 * 1024;
const HOUSE_TIMEOUT_MS = 20_000;
const LOOK_FOR_CANCEL_MS = 400;

export function runTask(deps: RunTaskDeps): JobHandler {
  const ask = taskAsking(deps);
  return async (run) => {
    const task = await takeAttempt(deps, run);
    if (task === undefined) return null;
    deps.channel.publish(task.id);
    const end = await deps.runs.attempt(attemptOf(deps, ask, task, run));
    if (end !== null) {
      deps.channel.publish(task.id);
      await deps.ended(task.user_id);
      if (end.receipt !== null) await deps.proved?.();
    }
    return null;
  };
}

/** Undefined if there is nothing left to do. */
const takeAttempt = ({ db, clock }: RunTaskDeps, { job, fence }: JobRun): Promise<Task | undefined> =>
  db.transaction().execute(async (trx) => {
    await fence(trx);
    const now = isoTime(clock.now());
    const task = await takeTask(trx, job.key, now);
    if (task !== undefined) await appendEvents(trx, task.id, [statusEvent(task)], now);
    return task;
  });

/** Runs without an account are shorter and keep less. */
const limitsOf = ({ timeout_ms }: RunTaskDeps, { user_id }: Task): NonNullable<Attempt['limits']> =>
  HOUSE_IDS.includes(user_id)
    ? { timeout_ms: Math.min(timeout_ms, HOUSE_TIMEOUT_MS), output_bytes: HOUSE_OUTPUT_BYTES }
    : { timeout_ms, output_bytes: OUTPUT_BYTES };

const attemptOf = (deps: RunTaskDeps, ask: AskOwner, task: Task, { fence, signal: stopping }: JobRun): Attempt => ({
  run_id: task.id,
  attempt: task.attempt,
  user_id: task.user_id,
  target: {
    kind: task.capability_kind,
    ref: task.capability_ref,
    version: task.capability_version,
    digest: task.capability_digest,
    execution_class: task.execution_class as RunTarget['execution_class'],
  },
  input: JSON.parse(task.input),
  input_files: filesOf(task.input_files),
  limits: limitsOf(deps, task),
  given: givenOf(task.given),
  link: readTraceparent(task.trace_parent),
  is_cancelled: task.cancel_requested_at !== null,
  stopping,
  receiptKey: () => receiptKeyOf(deps.db, deps.keys, task),
  caller: () => callerOf(deps, task),
  watch: () => watchTask(deps, ask, task, stopping),
  settle: async (trx, end) => {
    await fence(trx);
    return settleTask(trx, task, end, isoTime(deps.clock.now()));
  },
});

async function callerOf(deps: RunTaskDeps, task: Task): Promise<RunCaller> {
  const { user_id, quota_day } = task;
  return counted(deps, {
    user_id,
    share: await shareOfUser(deps.db, user_id, deps.clock.now()),
    day: quota_day,
    keep: async (trx, day) => {
      // An attempt that was taken over counts nothing.
      if (!(await noteTask(trx, task, { quota_day: day }))) throw new Error('The attempt was taken over.');
    },
  });
}

/** Stores console output as events, and ends the run when its owner cancels it in any process. */
function watchTask({ db, clock, channel }: RunTaskDeps, ask: AskOwner, task: Task, stopping: AbortSignal): RunWatch {
  const output = gatherOutput(async (events) => {
    await db.transaction().execute(async (trx) => {
      if (await lockTask(trx, task)) await appendEvents(trx, task.id, events, isoTime(clock.now()));
    });
    channel.publish(task.id);
  });
  const [cancelled, over] = [new AbortController(), new AbortController()];
  const watching = (async () => {
    while (!over.signal.aborted) {
      if (await isCancelRequested(db, task.id).catch(() => false)) return cancelled.abort(new Error('cancelled'));
      await channel.next(task.id, LOOK_FOR_CANCEL_MS, over.signal);
    }
  })();
  const asks: NonNullable<RunWatch['ask']> = (question, ended = over.signal) =>
    ask(task, question, AbortSignal.any([cancelled.signal, over.signal, stopping, ended]));
  return {
    signal: cancelled.signal,
    on_output: output.add,
    on_step: output.addStep,
    // Without an account, nobody can answer: the question is declined at once.
    ...defined({ ask: HOUSE_IDS.includes(task.user_id) ? undefined : asks }),
    stop: async () => {
      over.abort();
      await Promise.all([watching, output.close()]);
    },
  };
}

/** The end of the task and its last event. False where another attempt has taken over, or the task has ended. */
async function settleTask(trx: Kysely<Schema>, task: Task, end: RunEnd, now: string): Promise<boolean> {
  const { outcome, trace_id, span_id, receipt, question } = end;
  const { status, reason, error, output, output_files } = outcome;
  const ended = await endTask(trx, task, {
    status: question === undefined ? status : 'input_required',
    status_reason: reason,
    output: output === null ? null : JSON.stringify(output),
    output_files: output_files.size === 0 ? null : filesText(output_files),
    error: error === null ? null : JSON.stringify({ code: reason, detail: error, ...defined({ question }) }),
    trace_id,
    span_id,
    receipt_id: receipt?.id ?? null,
    finished_at: question === undefined ? now : null,
  });
  if (ended === undefined) return false;
  await appendEvents(trx, task.id, [statusEvent(ended)], now);
  return true;
}
