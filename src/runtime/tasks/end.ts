import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import { digestOfSpans } from '#core/traces/trace-answer.ts';
import type { Intent, RunBegun } from '#runtime/receipts/receipts.ts';
import { type Capability, nothing, type Outcome } from '#runtime/runs/capability.ts';
import { type BegunRun, type ProveDeps, proveRun, subjectOf } from '#runtime/runs/prove-run.ts';
import type { RunResult, Verdict } from '#runtime/runs/run.ts';
import { receiptKeyOf, timeOf } from './attempt.ts';
import { filesOf, type Task } from './task.ts';

/** How an attempt at a task ends, and what is signed of it. */

export interface End {
  outcome: Outcome;
  trace_id: string | null;
  span_id: string | null;
  /** Null: nothing ran. */
  receipt: ReceiptRow | null;
}

export interface EndDeps extends ProveDeps {
  keys: KeyProvider;
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
  subject: subjectOf({
    kind: task.capability_kind,
    ref: task.capability_ref,
    version: task.capability_version,
    digest: task.capability_digest,
  }),
  execution_class: task.execution_class as RunBegun['execution_class'],
  input: JSON.parse(task.input),
  input_files: filesOf(task.input_files),
  receipt_key: await receiptKeyOf(db, keys, task),
  user_id: task.user_id,
});

/** The end of a run that came back. */
export async function proven(
  deps: EndDeps,
  begun: BegunRun,
  result: RunResult,
  capability: Pick<Capability, 'server'>,
): Promise<End> {
  const { trace_id, span_id } = result;
  const receipt = result.status === 'rejected' ? null : await proveRun(deps, begun, result, capability);
  return { outcome: result, trace_id, span_id, receipt };
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
    attempt: cut_off.attempt,
    intent_sha256: cut_off.digest,
    output: null,
    output_files: new Map(),
    facts: {
      started_at: cut_off.created_at,
      finished_at: timeOf(deps.clock),
      status: 'interrupted',
      exit_code: null,
      model: null,
      planner: null,
      environment: { isolation: null, engine: null, network: task.execution_class === 'mcp' ? 'guarded' : 'none' },
      trace: { trace_id: NO_TRACE, digest: digestOfSpans([]) },
    },
  });
  return { ...withoutRun(verdict), receipt };
}
