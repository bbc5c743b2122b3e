import type { Kysely } from 'kysely';
import { catalogProblem } from '#catalog/errors.ts';
import { findRow, type ListingKey } from '#catalog/items/read-items.ts';
import { serverIdsBeginning } from '#catalog/items/read-servers.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { hashOf, type NamedServer, type ServerNames } from './server-names.ts';

/** Returns the server with this name, including tombstones; null if there is none. */
export async function findServer(
  { db, names }: { db: Kysely<Schema>; names: ServerNames },
  name: string,
): Promise<ListingRow | null> {
  const named = names.read(name);
  const key = named === null ? null : await keyOf(db, named);
  const row = key === null ? undefined : await findRow(db, key);
  return row?.listing_type === 'server' ? row : null;
}

async function keyOf(db: Kysely<Schema>, named: NamedServer): Promise<ListingKey | null> {
  // No id contains NUL, and PostgreSQL rejects it in a query.
  if ('key' in named) return named.key.external_id.includes('\0') ? null : named.key;
  const { provider_id, prefix, hash } = named;
  if (prefix.includes('\0')) return null;
  const ids = await serverIdsBeginning(db, provider_id, prefix);
  const external_id = ids.find((id) => hashOf(id) === hash);
  return external_id === undefined ? null : { provider_id, external_id };
}

/** Throws `registry.not_found` for an unknown server, or a removed one that was not requested. */
export async function neededServer(
  deps: { db: Kysely<Schema>; names: ServerNames },
  { name, with_removed }: { name: string; with_removed: boolean },
): Promise<ListingRow> {
  const row = await findServer(deps, name);
  if (row === null || (row.removed_at !== null && !with_removed)) throw notFound('Server not found.');
  return row;
}

export const notFound = (detail: string): Problem => catalogProblem('registry.not_found', detail);
