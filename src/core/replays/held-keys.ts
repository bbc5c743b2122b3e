import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { IdempotencyKeyRow } from '#core/db/schema-identity.ts';

/** The only SQL that uses `idempotency_keys`. One request at a time holds a key, until its lease expires. */

type Db = Kysely<Schema>;
export type KeyPlace = Pick<IdempotencyKeyRow, 'owner' | 'operation' | 'key'>;
export type HeldKey = KeyPlace & Pick<IdempotencyKeyRow, 'holder'>;
type NewKey = Omit<IdempotencyKeyRow, 'status' | 'sealed_answer'>;

/**
 * Returns true for the one request that may proceed: the first, the same request after its holder's lease expired, or
 * any request after the key was deleted.
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

/** Does nothing if another request has taken over the key. */
export async function updateKey(db: Db, held: HeldKey, set: Partial<IdempotencyKeyRow>): Promise<void> {
  const { owner, operation, key, holder } = held;
  await db
    .updateTable('idempotency_keys')
    .set(set)
    .where((eb) => eb.and({ owner, operation, key, holder }))
    .where('status', 'is', null)
    .execute();
}

/** Lets the same request be sent again at once. */
export async function freeKey(db: Db, { owner, operation, key, holder }: HeldKey): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where((eb) => eb.and({ owner, operation, key, holder }))
    .where('status', 'is', null)
    .execute();
}

/** Without the responses, which may contain secrets that are shown only once. */
export const listKeysOf = (db: Db, owner: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['operation', 'key', 'status', 'created_at', 'expires_at'])
    .where('owner', '=', owner)
    .orderBy('created_at')
    .execute();

/** For an account that is being deleted. */
export async function forgetKeysOf(db: Db, owner: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('owner', '=', owner).execute();
}
