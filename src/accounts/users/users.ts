import { type Kysely, sql, type UpdateObject } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { TierName } from '#accounts/quotas/tiers.ts';
import { type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { UserRow } from '#core/db/schema-identity.ts';
import { newId } from '#core/ids.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Accounts: the only SQL that uses `users`. Their other tables cascade. */

type Db = Kysely<Schema>;
export type User = Omit<UserRow, 'tier' | 'storage_measured_at'> & { tier: TierName };

/** `db` may be a transaction: an account is created together with its first identity. */
export async function createUser(
  db: Db,
  display_name: string,
  now: string,
  unproven_network: string | null = null,
): Promise<User> {
  const user: User = {
    id: newId(),
    display_name,
    tier: 'free',
    is_operator: 0,
    unproven_network,
    suspended_at: null,
    suspended_reason: '',
    created_at: now,
    updated_at: now,
  };
  await db.insertInto('users').values(user).execute();
  return user;
}

export const findUser = async (db: Db, id: string): Promise<User | undefined> =>
  (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) as User | undefined;

/**
 * Locks the account for the rest of the transaction, so that rules over all of its identities are checked one change at
 * a time. Returns false if there is no such account.
 */
export async function lockUser(transaction: Db, id: string): Promise<boolean> {
  const rows = await transaction
    .updateTable('users')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returning('id')
    .execute();
  return rows.length === 1;
}

type Change = Pick<
  UpdateObject<Schema, 'users'>,
  'display_name' | 'tier' | 'is_operator' | 'suspended_at' | 'suspended_reason'
>;

/** Returns the changed account; undefined if it was deleted. */
export const changeUser = async (db: Db, id: string, change: Change, now: string): Promise<User | undefined> =>
  (await db
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()) as User | undefined;

/** Also deletes everything that cascades. */
export async function deleteUserRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
  await db.deleteFrom('storage_deltas').where('user_id', '=', id).execute();
}

export const noSuchUser = (): Problem => accountsProblem('users.not_found', 'User not found.');

interface Wanted {
  /** A part of the name, or a whole id. */
  search: string | undefined;
  /** Also these accounts. */
  owners: readonly string[];
  status: 'suspended' | 'operator' | undefined;
}

/** Newest first. */
export async function listUsers(db: Db, { search, owners, status }: Wanted, page: PagePlace) {
  const wanted = search?.trim().toLowerCase() ?? '';
  const part = `%${wanted.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const found = await pageOf(
    db
      .selectFrom('users')
      .$if(status === 'suspended', (query) => query.where('suspended_at', 'is not', null))
      .$if(status === 'operator', (query) => query.where('is_operator', '=', 1))
      .$if(wanted !== '', (query) =>
        query.where((eb) =>
          eb.or([eb('id', 'in', [wanted, ...owners]), sql<boolean>`LOWER(display_name) LIKE ${part} ESCAPE '\\'`]),
        ),
      ),
    page,
    (of) => of.selectAll().orderBy('id', 'desc'),
  );
  return { items: found.items as User[], total_count: found.total_count };
}

const PAGE_SIZE = 500;

/** Every account, oldest first, page by page. */
export async function* listUserPages(db: Db): AsyncGenerator<User[]> {
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute();
    const last = page.at(-1);
    if (last === undefined) return;
    yield page as User[];
    after = last.id;
  }
}
