import type { Transaction } from 'kysely';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import type { NativeQuestion } from '#runtime/native/native-scripts.ts';
import { type Intent, type RunStart, saveReceipt } from '#runtime/receipts/receipts.ts';
import type { Capability, ResolveCapability, RunCaller, RunGiven } from './capability.ts';
import { reasonOf } from './errors.ts';
import { type ExecuteOrder, execute } from './execute.ts';
import { type RunTarget, type SigningDeps, signIntent, signInterrupted, signReceipt, subjectOf } from './receipt.ts';
import { cancelled, emptyOutcome, failed, type Outcome, type RunResult, rejected, type Verdict } from './result.ts';

/** Every run goes through here: intent, trace, execution, receipt and end, in this order. */

export interface RunDeps extends SigningDeps {
  tracing: Tracing;
  resolve: ResolveCapability;
}

export interface RunRequest extends Omit<ExecuteOrder, 'tracing' | 'signal'> {
  /** Ends the run as cancelled. */
  signal?: AbortSignal | undefined;
  /** Aborted when this process ends. The run has not ended then: the call throws, and no receipt is signed. */
  stopping?: AbortSignal | undefined;
  /** The key and the user of the run's receipt. Without it neither an intent nor a receipt is signed. */
  receipt?: Pick<RunStart, 'receipt_key' | 'user_id'> | undefined;
}

export interface Ran {
  result: RunResult;
  /** Of a refusal if the run was rejected; null if no receipt was requested. */
  receipt: ReceiptRow | null;
}

/** Runs once. A run that fails or cannot start is a result, not an error. Its receipt is stored when this resolves. */
export async function run(deps: RunDeps, capability: Capability, request: RunRequest): Promise<Ran> {
  const { receipt: signer } = request;
  const ids = { run_id: newId(), attempt: 1 };
  const start = signer === undefined ? null : startOf(capability, { ...ids, ...request, ...signer });
  const { result, receipt: signed } = await runOnce(deps, capability, request, start);
  const isRefused = start !== null && result.status === 'rejected';
  const refused = { reason: result.reason ?? 'rejected', trace_id: result.trace_id };
  const receipt = isRefused ? await (await deps.receipts()).refuse(start, refused) : signed;
  if (receipt !== null) await deps.db.transaction().execute((trx) => saveReceipt(trx, receipt));
  return { result, receipt };
}

async function runOnce(
  deps: RunDeps,
  capability: Capability,
  { signal = NEVER, stopping = NEVER, receipt: _, ...order }: RunRequest,
  start: RunStart | null,
): Promise<Ran> {
  const signed = start === null ? null : await signIntent(deps, start);
  const either = AbortSignal.any([signal, stopping]);
  const result = await execute(capability, { ...order, tracing: deps.tracing, signal: either });
  if (stopping.aborted && !signal.aborted) throw stopping.reason;
  if (signed === null || result.status === 'rejected') return { result, receipt: null };
  return { result, receipt: await signReceipt(deps, signed, result) };
}

const NEVER = new AbortController().signal;

const startOf = (
  target: RunTarget,
  {
    run_id,
    attempt,
    input,
    input_files = new Map(),
    receipt_key,
    user_id,
  }: Omit<RunStart, 'subject' | 'execution_class' | 'input_files'> & Pick<RunRequest, 'input_files'>,
): RunStart => ({
  run_id,
  attempt,
  subject: subjectOf(target),
  execution_class: target.execution_class,
  input,
  input_files,
  receipt_key,
  user_id,
});

/** One attempt at a run that may have been attempted before, by a process that died meanwhile. */
export interface Attempt extends Pick<RunRequest, 'input' | 'input_files' | 'limits' | 'link'> {
  run_id: string;
  /** From 1. */
  attempt: number;
  user_id: string;
  /** The pinned capability: only exactly this version runs. */
  target: RunTarget;
  /** What its user gave it beyond the input. */
  given?: RunGiven | undefined;
  /** It was cancelled before this attempt began. */
  is_cancelled: boolean;
  stopping: AbortSignal;
  /** The same for all attempts of a run. */
  receiptKey(): Promise<Buffer>;
  caller(): Promise<RunCaller>;
  /** Called when the run begins. */
  watch(): RunWatch;
  /** Stores the end, in the transaction that stores its receipt. False where another attempt has taken over. */
  settle(trx: Transaction<Schema>, end: RunEnd): Promise<boolean>;
}

/** Work that accompanies the run. */
export interface RunWatch extends Pick<RunRequest, 'signal' | 'on_output' | 'on_step' | 'ask'> {
  signal: AbortSignal;
  stop(): Promise<unknown>;
}

export interface RunEnd {
  outcome: Outcome;
  trace_id: string | null;
  span_id: string | null;
  /** Null if nothing ran, unless the run was rejected. */
  receipt: ReceiptRow | null;
  /** The run has not ended: it starts again once a person has answered this. */
  question?: NativeQuestion | undefined;
}

/** How often a run that brings its process down, or meets a bug, is begun again. */
const MOST_ATTEMPTS = 3;

/**
 * Brings the run to exactly one end, whatever crashed in earlier attempts, and stores it. Null if another attempt has taken
 * over. Throws if the run should be retried.
 */
export async function attempt(deps: RunDeps, order: Attempt): Promise<RunEnd | null> {
  const ended = await endOf(deps, order).catch((error) => {
    // Cut off by the process's own end, or worth another try.
    if (order.stopping.aborted || order.attempt < MOST_ATTEMPTS || isTemporary(error)) throw error;
    return givenUp(deps, order, error);
  });
  const end = { ...ended, receipt: ended.receipt ?? (await refusalReceipt(deps, order, ended)) };
  const { receipt } = end;
  const settled = await deps.db.transaction().execute(async (trx) => {
    if (!(await order.settle(trx, end))) return false;
    if (receipt !== null) await saveReceipt(trx, receipt);
    return true;
  });
  return settled ? end : null;
}

/** Null unless the run is rejected, or failed before anything ran. One that asks a person something may still run. */
async function refusalReceipt(
  { receipts }: RunDeps,
  order: Attempt,
  { outcome: { status, reason }, question, trace_id }: RunEnd,
): Promise<ReceiptRow | null> {
  if (question !== undefined || (status !== 'rejected' && status !== 'failed')) return null;
  return (await receipts()).refuse(await startOfAttempt(order), { reason: reason ?? status, trace_id });
}

/** Failures that the run did not cause, such as an unavailable database or a missing key: the run waits. */
function isTemporary(error: unknown): boolean {
  const known = explainDatabaseFailure(error);
  return known instanceof Problem && known.kind === 'unavailable';
}

const CANCELLED = cancelled('The task was cancelled before it ran.');
const CANCELLED_CUT_OFF = cancelled('The task was cancelled during a run; its side effects are unknown.');
const CUT_OFF = failed('interrupted', 'The run was interrupted; its side effects are unknown, so it was not retried.');
const CHANGED = rejected(
  'capability_changed',
  'The capability changed after this task was created. Create a new task to run the current version.',
);

async function endOf(deps: RunDeps, order: Attempt): Promise<RunEnd> {
  // An earlier attempt never returned, so its side effects are unknown.
  const cutOff = await (await deps.receipts()).lastIntent(order.run_id);
  if (order.is_cancelled)
    return cutOff === undefined ? withoutRun(CANCELLED) : interrupted(deps, order, cutOff, CANCELLED_CUT_OFF);
  const caller = await order.caller();
  const capability = await resolveAgain(deps, order, caller);
  if (cutOff !== undefined) {
    const isAgain = !('refused' in capability) && capability.repeatable && order.attempt <= MOST_ATTEMPTS;
    if (!isAgain) return interrupted(deps, order, cutOff, CUT_OFF);
  }
  return 'refused' in capability
    ? Object.assign(withoutRun(capability.refused), defined({ question: capability.question }))
    : runToEnd(deps, order, capability, caller);
}

/** The pinned capability if it can run; anything else is rejected. */
async function resolveAgain(
  { resolve }: RunDeps,
  { target: { kind, ref, version, digest }, input, given }: Attempt,
  caller: RunCaller,
): Promise<Capability | { refused: Verdict; question?: NativeQuestion | undefined }> {
  try {
    const capability = await resolve({ kind, ref, version }, caller, { input, digest, given });
    if (capability.digest !== digest) return { refused: CHANGED };
    const unavailable = await capability.whyUnavailable();
    if (unavailable === null) return capability;
    const { reason, detail, question } = unavailable;
    return { refused: rejected(reason, detail), question };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { refused: rejected(reasonOf(error), error.message) };
  }
}

async function runToEnd(deps: RunDeps, order: Attempt, capability: Capability, caller: RunCaller): Promise<RunEnd> {
  const start = await startOfAttempt(order);
  const watch = order.watch();
  const { input, input_files, limits, link, stopping } = order;
  const { signal, on_output, on_step, ask } = watch;
  const told = { signal, on_output, on_step, ask };
  const request = { input, input_files, limits, link, stopping, ...told, caller, record_content: true };
  try {
    const { result, receipt } = await runOnce(deps, capability, request, start);
    return { outcome: result, trace_id: result.trace_id, span_id: result.span_id, receipt };
  } catch (error) {
    if (error instanceof Problem && error.kind === 'quota_exceeded')
      return withoutRun(rejected(reasonOf(error), error.message));
    throw error;
  } finally {
    await watch.stop();
  }
}

const startOfAttempt = async (order: Attempt): Promise<RunStart> =>
  startOf(order.target, { ...order, receipt_key: await order.receiptKey() });

/** The end of a run that fails at every try, so that it does not go on for ever. */
async function givenUp(deps: RunDeps, order: Attempt, error: unknown): Promise<RunEnd> {
  const cutOff = await (await deps.receipts()).lastIntent(order.run_id);
  if (cutOff !== undefined) return interrupted(deps, order, cutOff, CUT_OFF);
  return withoutRun(
    error instanceof Problem
      ? failed(reasonOf(error), error.message)
      : failed('internal', 'The task failed because of an internal error. Nothing was executed.'),
  );
}

const withoutRun = (verdict: Verdict): RunEnd => ({
  outcome: emptyOutcome(verdict),
  trace_id: null,
  span_id: null,
  receipt: null,
});

/** The end of a run that never came back. */
const interrupted = async (deps: RunDeps, order: Attempt, cutOff: Intent, verdict: Verdict): Promise<RunEnd> => ({
  ...withoutRun(verdict),
  receipt: await signInterrupted(deps, await startOfAttempt(order), cutOff),
});
