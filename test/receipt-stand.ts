import type { App } from '#app/app.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import type { Bundle } from '#runtime/receipts/bundle.ts';
import { newReceiptKey, saveReceipt } from '#runtime/receipts/receipts.ts';

/** The run among them that failed, at the server of a listing. */
const FAILED = 5;
const listing = { name: 'smithery/forecasts', address_sha256: '23'.repeat(32) };

/** Issues receipts of made-up runs in an app, as a run that ends does. Answers their ids. */
export async function issueReceipts({ database, receipts }: Pick<App, 'database' | 'receipts'>, count: number) {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const begun = {
      run_id: newId(),
      attempt: 1,
      execution_class: 'scripted' as const,
      user_id: 'somebody',
      input: { at },
      input_files: new Map(),
      receipt_key: newReceiptKey(),
      subject: { name: `skill/json-diff@1.0.${at}`, digest: { sha256: 'ab'.repeat(32) } },
    };
    const intent_sha256 = await receipts.intend(begun);
    const receipt = await receipts.sign({
      ...begun,
      intent_sha256,
      output: at,
      output_files: new Map(),
      facts: {
        started_at: '2026-11-20T12:00:00.000Z',
        finished_at: '2026-11-20T12:00:01.000Z',
        status: 'completed',
        exit_code: 0,
        model: null,
        planner: null,
        environment: { isolation: 'wasm+process', engine: 'just-bash', network: 'none' },
        trace: { trace_id: 'ef'.repeat(16), digest: '01'.repeat(32) },
        ...defined(at === FAILED ? { status: 'failed', reason: 'timed_out', listing } : {}),
      },
    });
    await saveReceipt(database.db, receipt);
    ids.push(receipt.id);
  }
  return ids;
}

export const bundleAt = async (app: Pick<App, 'fetch'>, id: string): Promise<Bundle> =>
  (await (await app.fetch(`/api/receipts/${id}`)).json()) as Bundle;
