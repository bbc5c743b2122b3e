import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import { type Aging, removeOldest } from '#core/db/remove-oldest.ts';
import { type Expiry, expiryKind, scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Receipts } from './receipts.ts';

/** Scheduled work: receipts of tool calls are signed, new receipts are added to the log, and old intents are deleted. Receipts and their log stay. */

const LOG_RECEIPTS = 'receipts.log';
const LOG_EVERY_MS = 5_000;
const SIGN_CALLS = 'receipts.sign_calls';
const SIGN_EVERY_MS = 2_000;
const EXPIRE_INTENTS = 'receipts.expire_intents';

interface ReceiptJobsDeps extends IntentExpiry {
  receipts: Pick<Receipts, 'log' | 'signOwed'>;
  clock: Clock;
}

export const receiptKinds = (deps: ReceiptJobsDeps): Record<string, JobKind> => ({
  [LOG_RECEIPTS]: {
    concurrency: 1,
    handler: async ({ signal }) => {
      while (!signal.aborted && (await deps.receipts.log()) > 0);
      return { again_at_ms: deps.clock.now() + LOG_EVERY_MS };
    },
  },
  [SIGN_CALLS]: {
    concurrency: 1,
    handler: async ({ signal }) => {
      while (!signal.aborted && (await deps.receipts.signOwed()) > 0) await setImmediate();
      return { again_at_ms: deps.clock.now() + SIGN_EVERY_MS };
    },
  },
  ...expireIntentsKind(deps),
});

/** One job of each kind for the whole service, however many processes it has. */
export async function scheduleReceipts(jobs: Pick<JobTable, 'put'>): Promise<void> {
  await jobs.put({ kind: LOG_RECEIPTS, key: 'log' });
  await jobs.put({ kind: SIGN_CALLS, key: 'calls' });
  await scheduleExpiry(jobs, EXPIRE_INTENTS);
}

type IntentExpiry = Pick<Expiry, 'db' | 'clock'> & { intent_retention_ms: number; batch?: number };

const INTENTS: Aging = {
  table: 'run_intents',
  key: ['run_id', 'attempt'],
  time: 'created_at',
  only: sql<boolean>`EXISTS (SELECT 1 FROM receipts WHERE receipts.run_id = run_intents.run_id)`,
};

/** Deletes intents that are old and whose runs have their receipts. */
export const expireIntentsKind = ({ db, clock, intent_retention_ms, batch = 500 }: IntentExpiry) =>
  expiryKind({
    kind: EXPIRE_INTENTS,
    db,
    clock,
    kept_ms: intent_retention_ms,
    batch,
    remove: (trx, before, most) => removeOldest(trx, INTENTS, before, most),
  });
