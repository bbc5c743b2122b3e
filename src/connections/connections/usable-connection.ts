import type { Kysely } from 'kysely';
import { findTakenDown, listingTakenDown } from '#catalog/items/taken-down.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Connection } from './connection.ts';
import { findUsable, type Owned } from './connections.ts';
import { noSuchConnection } from './failures.ts';

/** Refuses connections to listings that operators took down: owners can view and delete them, but not use them. */

/** Returns the caller's connection for use. Throws `connections.not_found` (`connection`) or `registry.gone` (`listing_taken_down`). */
export async function usableConnection(db: Kysely<Schema>, of: Owned): Promise<Connection> {
  const found = await findUsable(db, of);
  if (found === undefined) throw noSuchConnection();
  const { connection, is_down } = found;
  // Details are queried only if the listing was taken down.
  if (is_down) await refuseTakenDown(db, connection);
  return connection;
}

/** Throws `registry.gone` (`listing_taken_down`) if the connection's listing was taken down. */
export async function refuseTakenDown(
  db: Kysely<Schema>,
  { provider_id, external_id }: Pick<Connection, 'provider_id' | 'external_id'>,
): Promise<void> {
  if (provider_id === null || external_id === null) return;
  const down = await findTakenDown(db, { provider_id, external_id });
  if (down !== undefined) throw listingTakenDown(down);
}
