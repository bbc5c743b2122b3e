import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { TaskShareRow } from '#core/db/schema-execution.ts';
import type { Task } from './task.ts';
import type { Owned } from './tasks.ts';

/** Links to runs: the only SQL for `task_shares`. The secret of a link is known to its owner only; here is its hash. */

type Db = Kysely<Schema>;

/** What others see besides the result. */
export interface Shows {
  input: boolean;
  /** The steps of the trace: names of operations, times and outcomes. */
  trace: boolean;
  /** Names that the owner gave: the title, and those of connections, rigs and harnesses. */
  names: boolean;
}

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const newShareToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const hashOfShare = (token: string): string => sha256(token);

export const insertShare = async (db: Db, share: TaskShareRow): Promise<void> =>
  void (await db.insertInto('task_shares').values(share).execute());

/** Newest first. */
export const listTaskShares = (db: Db, { user_id, id }: Owned): Promise<TaskShareRow[]> =>
  db
    .selectFrom('task_shares')
    .selectAll()
    .where('task_id', '=', id)
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** False if the task has no such link. */
export async function removeShare(db: Db, { user_id, id }: Owned, share_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('task_shares')
    .where('id', '=', share_id)
    .where('task_id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The link with this secret and its task; undefined if there is none at this time. */
export async function findShared(
  db: Db,
  token: string,
  now: string,
): Promise<{ share: TaskShareRow; task: Task } | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const share = await db
    .selectFrom('task_shares')
    .selectAll()
    .where('token_hash', '=', hashOfShare(token))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  if (share === undefined) return undefined;
  const task = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', share.task_id)
    .where('user_id', '=', share.user_id)
    .executeTakeFirst();
  return task === undefined ? undefined : { share, task: task as Task };
}

export const shownShare = ({ id, shows, created_at, expires_at }: TaskShareRow) => ({
  id,
  shows: JSON.parse(shows) as Shows,
  created_at,
  expires_at,
});
