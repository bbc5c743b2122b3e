import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { IdempotencyKeyRow } from '#core/db/schema-identity.ts';

/** The only SQL that names `idempotency_keys`. A key is held by one request at a time, for as long as its lease runs. */

type Db = Kysely<Schema>;
export type KeyPlace = Pick<IdempotencyKeyRow, 'owner' | 'operation' | 'key'>;
export type HeldKey = KeyPlace & Pick<IdempotencyKeyRow, 'holder'>;
export type NewKey = Omit<IdempotencyKeyRow, 'status' | 'sealed_answer'>;

/**
 * True for the one request that may go on: the first, or the same request again after its holder let the lease run out,
 * or any request once the key is forgotten.
 */
export async function claimKey(db: Db, newKey: NewKey): Promise<boolean> {
  const rows = await db
    .insertInto('idempotency_keys')
    .values({ ...newKey, status: null, sealed_answer: null })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'operation', 'key'])
        .doUpdateSet((eb) => ({
          request_hash: eb.ref('excluded.request_hash'),
          holder: eb.ref('excluded.holder'),
          status: null,
          sealed_answer: null,
          created_at: eb.ref('excluded.created_at'),
          lease_until: eb.ref('excluded.lease_until'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.expires_at', '<=', newKey.created_at),
            eb.and([
              eb('idempotency_keys.status', 'is', null),
              eb('idempotency_keys.lease_until', '<=', newKey.created_at),
              eb('idempotency_keys.request_hash', '=', newKey.request_hash),
            ]),
          ]),
        ),
    )
    .returning('holder')
    .execute();
  return rows.length === 1;
}

export const findKey = (db: Db, { owner, operation, key }: KeyPlace): Promise<IdempotencyKeyRow | undefined> =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where((eb) => eb.and({ owner, operation, key }))
    .executeTakeFirst();

/** Nothing where another request holds the key by now. */
export async function updateKey(db: Db, held: HeldKey, set: Partial<IdempotencyKeyRow>): Promise<void> {
  const { owner, operation, key, holder } = held;
  await db
    .updateTable('idempotency_keys')
    .set(set)
    .where((eb) => eb.and({ owner, operation, key, holder }))
    .where('status', 'is', null)
    .execute();
}

/** So that the same request may be sent again at once. */
export async function freeKey(db: Db, { owner, operation, key, holder }: HeldKey): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where((eb) => eb.and({ owner, operation, key, holder }))
    .where('status', 'is', null)
    .execute();
}

/** Without the answers: they may hold what is shown only once. */
export const listKeysOf = (db: Db, owner: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['operation', 'key', 'status', 'created_at', 'expires_at'])
    .where('owner', '=', owner)
    .orderBy('created_at')
    .execute();

/** For an owner who goes. */
export async function forgetKeysOf(db: Db, owner: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('owner', '=', owner).execute();
}
