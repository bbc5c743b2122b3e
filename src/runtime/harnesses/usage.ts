import type { Kysely } from 'kysely';
import { findUser } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { HarnessUsageRow } from '#core/db/schema-harnesses.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import { findHarness, type Harness, touchHarness } from './harnesses.ts';
import { accountGone, noSuchHarness, tooMuch } from './refusals.ts';

/** The storage of accounts in harnesses: the only SQL for `harness_usage`. Each account has one write at a time. */

type Db = Kysely<Schema>;

interface HarnessLimits {
  /** Harnesses, memories in all of them, and bytes of everything that is kept. */
  per_user: number;
  memories_per_user: number;
  bytes_per_user: number;
}

export interface HarnessesDeps {
  db: Db;
  clock: Clock;
  limits: HarnessLimits;
  storage: StorageGate;
}

/** Counted while a change is made; saved with it. */
type Usage = HarnessUsageRow;

export interface Change {
  trx: Db;
  usage: Usage;
  /** ISO time. */
  now: string;
}

/** Runs one change of an account exclusively, atomically and within its limits. */
export async function changeUsage<T>(
  { db, clock, limits, storage }: HarnessesDeps,
  user_id: string,
  run: (change: Change) => Promise<T>,
): Promise<T> {
  if ((await readUsage(db, user_id)) === undefined) await makeUsage(db, user_id);
  return db.transaction().execute(async (trx) => {
    const usage = await holdUsage(trx, user_id);
    if (usage === undefined) throw accountGone();
    const before = { ...usage };
    const result = await run({ trx, usage, now: isoTime(clock.now()) });
    for (const [kind, limit] of [
      ['harnesses', limits.per_user],
      ['memories', limits.memories_per_user],
      ['bytes', limits.bytes_per_user],
    ] as const)
      if (usage[kind] > limit && usage[kind] > before[kind]) throw tooMuch(kind, limit);
    // Its rows are written, and so counted by now: whatever makes room is let through.
    if (usage.bytes > before.bytes) await storage.require(trx, user_id, 'memory');
    const { harnesses, memories, bytes, made } = usage;
    await trx
      .updateTable('harness_usage')
      .set({ harnesses, memories, bytes, made })
      .where('user_id', '=', user_id)
      .execute();
    return result;
  });
}

/** The same for one harness, by its id or name. Throws `harnesses.not_found` (`harness`). */
export const changeHarness = <T>(
  deps: HarnessesDeps,
  { user_id, ref }: HarnessRef,
  run: (change: Change & { harness: Harness }) => Promise<T>,
): Promise<T> =>
  changeUsage(deps, user_id, async (change) => {
    const harness = await findHarness(change.trx, { user_id, ref });
    if (harness === undefined) throw noSuchHarness();
    const result = await run({ ...change, harness });
    await touchHarness(change.trx, harness.number, change.now);
    return result;
  });

export interface HarnessRef {
  user_id: string;
  /** Id or name. */
  ref: string;
}

/**
 * Ensures that the row to lock exists. Run it in a separate statement or first in a transaction. Otherwise a writer that
 * creates it and a deletion of the account would deadlock.
 */
export async function makeUsage(db: Db, user_id: string): Promise<void> {
  if ((await findUser(db, user_id)) === undefined) return;
  await db
    .insertInto('harness_usage')
    .values({ user_id, harnesses: 0, memories: 0, bytes: 0, made: 0 })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Locked until the end of the transaction. Undefined if it does not exist. */
export const holdUsage = (trx: Db, user_id: string): Promise<Usage | undefined> =>
  trx
    .updateTable('harness_usage')
    .set((eb) => ({ made: eb.ref('made') }))
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst();

export const readUsage = (db: Db, user_id: string): Promise<Omit<Usage, 'user_id' | 'made'> | undefined> =>
  db
    .selectFrom('harness_usage')
    .select(['harnesses', 'memories', 'bytes'])
    .where('user_id', '=', user_id)
    .executeTakeFirst();

export const deleteUsage = async (trx: Db, user_id: string): Promise<void> =>
  void (await trx.deleteFrom('harness_usage').where('user_id', '=', user_id).execute());
