import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { plainAgent } from '#accounts/sign-ins/start.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { DeviceRow } from '#core/db/schema-identity.ts';
import { newId } from '#core/ids.ts';

/**
 * Browsers and programs that signed in to an account before. A device is no credential: it signs nobody in, and only
 * takes its password attempts out of the count that strangers can fill. The only SQL that names `devices`.
 */

type Db = Kysely<Schema>;
export type Device = DeviceRow;

const TOKEN_BYTES = 32;
export const DEVICE_TOKEN = /^cdv_[\w-]{43}$/;
/** After its last use. */
export const DEVICE_LIFE_MS = 180 * 86_400_000;
/** Of one account. Beyond this the one not used for longest is forgotten. */
export const MOST_DEVICES = 20;

export interface NewDevice {
  user_id: string;
  user_agent: string;
}

/** Answers the token, which is shown this once. */
export async function addDevice(db: Db, { user_id, user_agent }: NewDevice, now_ms: number): Promise<string> {
  const token = `cdv_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const now = isoTime(now_ms);
  const row: Device = {
    id: newId(),
    user_id,
    token_hash: hashOf(token),
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

/** The device that this token belongs to; undefined where it is none, expired or removed. */
export const findDevice = async (db: Db, token: string, now: string): Promise<Device | undefined> =>
  DEVICE_TOKEN.test(token)
    ? db
        .selectFrom('devices')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
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

/** The one used last comes first. */
export const listDevices = (db: Db, user_id: string, now: string): Promise<Device[]> =>
  standing(db, user_id, now).selectAll().execute();

/** False where the user has no such device. */
export async function deleteDevice(db: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await db
    .deleteFrom('devices')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** All of an account: where its sessions end because somebody else may hold them. */
export const deleteDevices = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('devices').where('user_id', '=', user_id).execute();
};

const standing = (db: Db, user_id: string, now: string) =>
  db
    .selectFrom('devices')
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc');

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
