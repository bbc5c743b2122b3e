import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { networkOf } from '#core/outbound/network-of.ts';

/**
 * The networks that accounts sign in from: the only SQL that writes `account_networks`. Nothing more precise is stored.
 */

type Db = Kysely<Schema>;

/** Per account. Above this, the least recently seen network is deleted, but never the first. */
export const MOST_NETWORKS = 32;

/** Records a sign-in from this address. The caller must have locked the account. */
export async function noteNetwork(trx: Db, user_id: string, address: string, now: string): Promise<void> {
  const network = networkOf(address);
  if (network === null) return;
  await trx
    .insertInto('account_networks')
    .values({ user_id, network, first_seen_at: now, last_seen_at: now })
    .onConflict((of) => of.columns(['user_id', 'network']).doUpdateSet({ last_seen_at: now }))
    .execute();
  const known = await listNetworks(trx, user_id);
  const later = known.slice(1).sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1));
  for (const { network: forgotten } of later.slice(MOST_NETWORKS - 1))
    await trx.deleteFrom('account_networks').where('user_id', '=', user_id).where('network', '=', forgotten).execute();
}

/** Oldest first. */
export const listNetworks = (db: Db, user_id: string) =>
  db
    .selectFrom('account_networks')
    .select(['network', 'first_seen_at', 'last_seen_at'])
    .where('user_id', '=', user_id)
    .orderBy('first_seen_at')
    .orderBy('network')
    .execute();
