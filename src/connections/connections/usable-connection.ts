import type { Kysely } from 'kysely';
import { findTakenDown, listingTakenDown } from '#catalog/items/taken-down.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Connection } from './connection.ts';
import { findUsable, type Owned } from './connections.ts';
import { noSuchConnection } from './failures.ts';

/** Connections to what operators took down since: their owner sees and deletes them, and nobody speaks to their server. */

/** One's own connection, to be used. Throws `sessions.not_found`, or `registry.listing_taken_down`. */
export async function usableConnection(db: Kysely<Schema>, of: Owned): Promise<Connection> {
  const found = await findUsable(db, of);
  if (found === undefined) throw noSuchConnection();
  const { connection, is_down } = found;
  // What is told of it is asked for where there is something to tell.
  if (is_down) await refuseTakenDown(db, connection);
  return connection;
}

/** Throws `registry.listing_taken_down` where the listing that the connection was made by is. */
export async function refuseTakenDown(
  db: Kysely<Schema>,
  { provider_id, external_id }: Pick<Connection, 'provider_id' | 'external_id'>,
): Promise<void> {
  if (provider_id === null || external_id === null) return;
  const down = await findTakenDown(db, { provider_id, external_id });
  if (down !== undefined) throw listingTakenDown(down);
}
