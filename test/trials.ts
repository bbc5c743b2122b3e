import type { TasksStand } from './tasks-stand.ts';
import { until } from './until.ts';

/** Runs without an account, as their callers see them. */

export const HOME = '203.0.113.9';

export const trialOf = (ref: string, input: unknown = { text: 'hi' }) => ({
  capability: { ref },
  input,
  wait_ms: 10_000,
});

export interface TrialShown {
  status: string;
  status_reason: string | null;
  output: unknown;
  receipt_id: string;
  caller: string;
}

/** Reads it by its token until it has this status. */
export const trialUntil = (stand: TasksStand, token: string, is: (run: TrialShown) => boolean): Promise<TrialShown> =>
  until(`the run ${token}`, async () => {
    const { body } = await stand.askFrom(HOME, 'GET', `/api/shared-runs/${token}`);
    const shown = body as unknown as TrialShown;
    return is(shown) && shown;
  });

/** The predicate of a receipt. */
export async function predicateOf(stand: TasksStand, receipt_id: string) {
  const bundle = await stand.receipts.bundle(receipt_id);
  const text = Buffer.from(bundle?.dsse.payload ?? '', 'base64').toString();
  return JSON.parse(text).predicate as { status: string; caller: { kind?: string; commitment: string } };
}
