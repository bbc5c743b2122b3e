import { type Clock, isoTime } from '#core/clock/clock.ts';
import { newId } from '#core/ids.ts';
import type { Bundle } from '#runtime/receipts/bundle.ts';
import { newReceiptKey, type Receipts, saveReceipt } from '#runtime/receipts/receipts.ts';
import type { Capability } from './capability.ts';
import { type ProveDeps, proveRun, subjectOf } from './prove-run.ts';
import type { RunResult } from './run.ts';

/** Receipts for runs from the operator's command line, which belong to no task. */

export interface RunReceipt {
  bundle: Bundle;
  /** Key of the HMACs over input and output. */
  receipt_key: Buffer;
}

/** Signs the intent; the answer is called with the result, and answers null where nothing ran. */
export type BeginReceipt = (
  capability: Capability,
  input: unknown,
) => Promise<(result: RunResult) => Promise<RunReceipt | null>>;

export interface RunReceiptDeps extends ProveDeps {
  clock: Clock;
  receipts: Pick<Receipts, 'intend' | 'sign' | 'bundle'>;
}

export const beginReceipt =
  (deps: RunReceiptDeps): BeginReceipt =>
  async (capability, input) => {
    const receipt_key = newReceiptKey();
    const begun = {
      run_id: newId(),
      attempt: 1,
      subject: subjectOf(capability),
      input,
      input_files: new Map(),
      execution_class: capability.execution_class,
      receipt_key,
      user_id: null,
    };
    const intent_sha256 = await deps.receipts.intend(begun);
    const started_at = isoTime(deps.clock.now());
    return async (result) => {
      if (result.status === 'rejected') return null;
      const receipt = await proveRun(deps, { ...begun, intent_sha256, started_at }, result, capability);
      await deps.db.transaction().execute((trx) => saveReceipt(trx, receipt));
      return { bundle: (await deps.receipts.bundle(receipt.id)) as Bundle, receipt_key };
    };
  };
