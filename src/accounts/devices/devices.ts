import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { plainAgent } from '#accounts/sign-ins/start.ts';
import { isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { DeviceRow } from '#core/db/schema-identity.ts';
import { newId } from '#core/ids.ts';

/**
 * Browsers and programs that have signed in to an account before. A device is not a credential: it signs nobody in, but
 * its password attempts are counted separately from those that anyone can make. The only SQL that uses `devices`.
 */

type Db = Kysely<Schema>;
export type Device = DeviceRow;

const TOKEN_BYTES = 32;
export const DEVICE_TOKEN = /^cdv_[\w-]{43}$/;
/** After the last use. */
export const DEVICE_LIFE_MS = 180 * 86_400_000;
/** Per account. Above this, the least recently used device is deleted. */
export const MOST_DEVICES = 20;

interface NewDevice {
  user_id: string;
  user_agent: string;
}

/** Returns the token, which is shown only once. */
export async function addDevice(db: Db, { user_id, user_agent }: NewDevice, now_ms: number): Promise<string> {
  const token = `cdv_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const now = isoTime(now_ms);
  const row: Device = {
    id: newId(),
    user_id,
    token_hash: sha256(token),
    user_agent: plainAgent(user_agent),
    created_at: now,
    last_used_at: now,
    expires_at: isoTime(now_ms + DEVICE_LIFE_MS),
  };
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('devices').values(row).execute();
    await trx.deleteFrom('devices').where('user_id', '=', user_id).where('expires_at', '<=', now).execute();
    const beyond = await standing(trx, user_id, now).select('id').offset(MOST_DEVICES).limit(MOST_DEVICES).execute();
    for (const { id } of beyond) await trx.deleteFrom('devices').where('id', '=', id).execute();
  });
  return token;
}

/** Returns the device of this token; undefined if it is unknown, expired or removed. */
export const findDevice = async (db: Db, token: string, now: string): Promise<Device | undefined> =>
  DEVICE_TOKEN.test(token)
    ? db
        .selectFrom('devices')
        .selectAll()
        .where('token_hash', '=', sha256(token))
        .where('expires_at', '>', now)
        .executeTakeFirst()
    : undefined;

export async function useDevice(db: Db, id: string, now_ms: number): Promise<void> {
  await db
    .updateTable('devices')
    .set({ last_used_at: isoTime(now_ms), expires_at: isoTime(now_ms + DEVICE_LIFE_MS) })
    .where('id', '=', id)
    .execute();
}

/** Most recently used first. */
export const listDevices = (db: Db, user_id: string, now: string): Promise<Device[]> =>
  standing(db, user_id, now).selectAll().execute();

/** Returns false if the user has no such device. */
export async function deleteDevice(db: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await db
    .deleteFrom('devices')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Deletes all devices of an account, when its sessions end because they may be stolen. */
export async function deleteDevices(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('devices').where('user_id', '=', user_id).execute();
}

const standing = (db: Db, userId: string, now: string) =>
  db
    .selectFrom('devices')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc');
