import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { DeviceKeyRow } from '#core/db/schema-identity.ts';

/** Device keys: the only SQL that uses their table. */

type Db = Kysely<Schema>;
export type DeviceKey = DeviceKeyRow;

/** Per account, waiting ones included. */
export const MAX_DEVICE_KEYS = 20;
/** Requests that nobody answered. */
const WAITING_LIFE_MS = 30 * 86_400_000;
const USED_TO_MS = 60_000;

/** Whether its owner no longer expects it: a key that a thief left behind must not replace all others a year later. */
export const isLapsed = (usable_from: string, now_ms: number): boolean =>
  Date.parse(usable_from) + WAITING_LIFE_MS <= now_ms;

export const listDeviceKeys = (db: Db, user_id: string): Promise<DeviceKey[]> =>
  db
    .selectFrom('device_keys')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_DEVICE_KEYS + 1)
    .execute();

export const findDeviceKey = (db: Db, user_id: string, id: string): Promise<DeviceKey | undefined> =>
  db.selectFrom('device_keys').selectAll().where('user_id', '=', user_id).where('id', '=', id).executeTakeFirst();

const findByAddress = (db: Db, address: string): Promise<DeviceKey | undefined> =>
  db.selectFrom('device_keys').selectAll().where('address', '=', address).executeTakeFirst();

export const hasActiveDeviceKey = async (db: Db, user_id: string): Promise<boolean> =>
  (await db
    .selectFrom('device_keys')
    .select('id')
    .where('user_id', '=', user_id)
    .where('active_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Whether an active key of this user has this address. Notes the use, to the minute. */
export async function useDeviceKey(db: Db, user_id: string, address: string, now_ms: number): Promise<boolean> {
  const key = await findByAddress(db, address);
  if (key === undefined || key.user_id !== user_id || key.active_at === null) return false;
  if (key.last_used_at === null || Date.parse(key.last_used_at) <= now_ms - USED_TO_MS)
    await db
      .updateTable('device_keys')
      .set({ last_used_at: isoTime(now_ms) })
      .where('id', '=', key.id)
      .execute();
  return true;
}

/** Deletes requests that nobody answered, so that they do not fill the account's list. */
export async function removeUnanswered(trx: Db, user_id: string, now_ms: number): Promise<void> {
  await trx
    .deleteFrom('device_keys')
    .where('user_id', '=', user_id)
    .where('active_at', 'is', null)
    .where('created_at', '<=', isoTime(now_ms - WAITING_LIFE_MS))
    .execute();
}

/** Returns false if a key with this address exists. */
export async function addDeviceKey(trx: Db, key: DeviceKey): Promise<boolean> {
  const rows = await trx
    .insertInto('device_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Returns false if the user has no such waiting key. */
export async function activateDeviceKey(trx: Db, user_id: string, id: string, now: string): Promise<boolean> {
  const rows = await trx
    .updateTable('device_keys')
    .set({ active_at: now })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .where('active_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Returns undefined if the user has no such key. */
export const renameDeviceKey = (db: Db, user_id: string, id: string, name: string): Promise<DeviceKey | undefined> =>
  db
    .updateTable('device_keys')
    .set({ name })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

interface Deletion {
  id: string;
  /** Only a key that waits. */
  waiting: boolean;
}

/** Returns false if the user has no such key. */
export async function deleteDeviceKey(trx: Db, user_id: string, { id, waiting }: Deletion): Promise<boolean> {
  const rows = await trx
    .deleteFrom('device_keys')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .$if(waiting, (query) => query.where('active_at', 'is', null))
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Deletes every other key, waiting ones included. Returns their ids. */
export async function deleteOtherDeviceKeys(trx: Db, user_id: string, keep: string): Promise<string[]> {
  const rows = await trx
    .deleteFrom('device_keys')
    .where('user_id', '=', user_id)
    .where('id', '!=', keep)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
