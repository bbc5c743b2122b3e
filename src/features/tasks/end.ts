import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { KeyProvider } from '../../platform/crypto/secret-keys.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { ReceiptRow } from '../../platform/db/schema-execution.ts';
import { nothing, type Outcome } from '../execution/capability.ts';
import type { RunResult, Verdict } from '../execution/run.ts';
import type { Intent, Receipts, RunBegun } from '../receipts/receipts.ts';
import { listSpans } from '../traces/spans.ts';
import { digestOfSpans } from '../traces/trace-answer.ts';
import type { Tracing } from '../traces/tracing.ts';
import { receiptKeyOf, timeOf } from './attempt.ts';
import { keptOutput } from './kept-json.ts';
import type { Task } from './task.ts';

/** How an attempt at a task ends, and what is signed of it. */

export interface End {
  outcome: Outcome;
  trace_id: string | null;
  span_id: string | null;
  /** Null: nothing ran. */
  receipt: ReceiptRow | null;
}

export interface EndDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  tracing: Pick<Tracing, 'flush'>;
  receipts: Pick<Receipts, 'sign'>;
}

export const withoutRun = (verdict: Verdict): End => ({
  outcome: nothing(verdict),
  trace_id: null,
  span_id: null,
  receipt: null,
});

/** What the receipt says of the beginning: all of it is bound to the task when it is made. */
export const beginningOf = async ({ db, keys }: Pick<EndDeps, 'db' | 'keys'>, task: Task): Promise<RunBegun> => ({
  run_id: task.id,
  attempt: task.attempt,
  subject: {
    name: `${task.capability_kind}/${task.capability_ref}@${task.capability_version}`,
    digest: { sha256: task.capability_digest.replace(/^sha256:/, '') },
  },
  execution_class: task.execution_class as RunBegun['execution_class'],
  input: JSON.parse(task.input),
  receipt_key: await receiptKeyOf(db, keys, task),
  user_id: task.user_id,
});

export type Begun = RunBegun & { intent_sha256: string; started_at: string };

/** The end of a run that came back. */
export async function proven(deps: EndDeps, { started_at, ...begun }: Begun, result: RunResult): Promise<End> {
  const { trace_id, span_id, status, exit_code, isolation, engine, network, model, planner } = result;
  if (status === 'rejected') return { outcome: result, trace_id, span_id, receipt: null };
  const output = keptOutput(result);
  await deps.tracing.flush();
  const digest = digestOfSpans(await listSpans(deps.db, trace_id, span_id));
  const receipt = await deps.receipts.sign({
    ...begun,
    output,
    facts: {
      ...{ started_at, finished_at: timeOf(deps.clock), status, exit_code, model, planner },
      environment: { isolation, engine, network },
      trace: { trace_id, digest },
    },
  });
  return { outcome: { ...result, output }, trace_id, span_id, receipt };
}

export const CUT_OFF: Verdict = {
  status: 'failed',
  reason: 'interrupted',
  error: 'The run was cut off, and what it had done by then cannot be known. It is not begun again.',
};

const NO_TRACE = '0'.repeat(32);

/** The end of a run that never came back: its receipt says what is known, which is how it began. */
export async function interrupted(deps: EndDeps, task: Task, cut_off: Intent, verdict: Verdict): Promise<End> {
  const receipt = await deps.receipts.sign({
    ...(await beginningOf(deps, task)),
    ...{ attempt: cut_off.attempt, intent_sha256: cut_off.digest, output: null },
    facts: {
      ...{ started_at: cut_off.created_at, finished_at: timeOf(deps.clock), status: 'interrupted' },
      ...{ exit_code: null, model: null, planner: null },
      environment: { isolation: null, engine: null, network: task.execution_class === 'mcp' ? 'guarded' : 'none' },
      trace: { trace_id: NO_TRACE, digest: digestOfSpans([]) },
    },
  });
  return { ...withoutRun(verdict), receipt };
}
