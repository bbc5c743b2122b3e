import type { Kysely } from 'kysely';
import { type CountQuota, dayOf, giveBack, takeRequest } from '#accounts/quotas/quota.ts';
import { findUser } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import { newReceiptKey } from '#runtime/receipts/receipts.ts';
import type { RunCaller } from '#runtime/runs/capability.ts';
import type { Task } from './task.ts';
import { appendEvents } from './task-events.ts';
import { noteTask, takeTask } from './tasks.ts';

/** One attempt at a task: taken under the job's lease, with the key of its receipt and who pays for it. */

type Db = Kysely<Schema>;

/** Undefined where there is nothing to do any more. */
export const takeAttempt = (db: Db, { job, fence }: JobRun, now: string): Promise<Task | undefined> =>
  db.transaction().execute(async (trx) => {
    await fence(trx);
    const task = await takeTask(trx, job.key, now);
    if (task !== undefined) await appendEvents(trx, task.id, [statusEvent(task)], now);
    return task;
  });

export const statusEvent = ({
  status,
  status_reason,
  attempt,
}: Pick<Task, 'status' | 'status_reason' | 'attempt'>) => ({
  type: 'status' as const,
  data: { status, status_reason, attempt },
});

export const receiptKeyContext = (id: string): string => `task receipt key|${id}`;

/** The key of a task's receipt, for its owner; null where it has none yet. */
export const openReceiptKey = (keys: KeyProvider, { id, receipt_key }: Pick<Task, 'id' | 'receipt_key'>) =>
  receipt_key === null ? null : unseal(keys, receipt_key, receiptKeyContext(id));

/** The same in every attempt, so that the owner holds one key. */
export async function receiptKeyOf(db: Db, keys: KeyProvider, task: Task): Promise<Buffer> {
  const known = openReceiptKey(keys, task);
  if (known !== null) return known;
  const made = newReceiptKey();
  await noteTask(db, task, { receipt_key: seal(keys, made, receiptKeyContext(task.id)) });
  return made;
}

export interface Charging {
  db: Db;
  clock: Clock;
  countQuota?: CountQuota;
}

/** A task is one LLM request of its user's day, whatever it takes and however often it is begun. */
export function callerOf({ db, clock, countQuota }: Charging, task: Task, share: Share): RunCaller {
  let { quota_day } = task;
  /** Together, so that no crash counts a request twice, and an attempt that was taken over counts nothing. */
  const note = async (day: string | null, count: (trx: Db) => Promise<unknown>): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      await count(trx);
      if (!(await noteTask(trx, task, { quota_day: day }))) throw new Error('The attempt was taken over.');
    });
    quota_day = day;
  };
  return {
    user_id: task.user_id,
    share,
    charge: async () => {
      if (quota_day !== null) return;
      const tier = (await findUser(db, task.user_id))?.tier ?? 'free';
      const now_ms = clock.now();
      await note(dayOf(now_ms), (trx) => takeRequest(trx, { user_id: task.user_id, tier }, now_ms, countQuota));
    },
    refund: async () => {
      if (quota_day === null) return;
      const day = quota_day;
      await note(null, (trx) => giveBack(trx, task.user_id, day, countQuota));
    },
  };
}

/** Aborts when the task's owner asks for its end, whichever process was asked. */
export function watchCancel(look: () => Promise<boolean>, wait: (signal: AbortSignal) => Promise<void>) {
  const cancelled = new AbortController();
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      if (await look().catch(() => false)) return cancelled.abort(new Error('cancelled'));
      await wait(over.signal);
    }
  })();
  return {
    signal: cancelled.signal,
    stop: async () => {
      over.abort();
      await watching;
    },
  };
}

export const timeOf = (clock: Clock): string => isoTime(clock.now());
