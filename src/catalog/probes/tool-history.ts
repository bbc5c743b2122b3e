import type { Kysely } from 'kysely';
import { storable } from '#catalog/items/listing-row.ts';
import type { ListingKey } from '#catalog/items/read-items.ts';
import type { ToolChange } from '#catalog/items/tool-changes.ts';
import type { Schema } from '#core/db/schema.ts';
import type { StoredTools } from './stored-tools.ts';
import { type Changes, changesBetween, type ToolPrint } from './tool-prints.ts';

/**
 * How the tools of listings change: the only SQL that names `listing_tool_sets` and `listing_tool_changes`. They belong to listings rather
 * than to probed servers, because the next version of a package is another server.
 */

type Db = Kysely<Schema>;

/** Of one server. */
const MOST_LISTINGS = 50;
/** Of one listing; older ones are deleted. */
const MOST_CHANGES = 20;
const VERSION_CHARS = 100;

/** After a successful probe. `server_version` is used for listings without a version. */
export async function recordTools(
  trx: Db,
  target_id: string,
  { hash, prints }: Pick<StoredTools, 'hash' | 'prints'>,
  server_version: string,
  now: string,
): Promise<void> {
  if (prints === null) return;
  const named = await trx
    .selectFrom('probe_listings as named')
    .innerJoin('listings', (join) =>
      join
        .onRef('listings.provider_id', '=', 'named.provider_id')
        .onRef('listings.external_id', '=', 'named.external_id'),
    )
    .leftJoin('listing_tool_sets as before', (join) =>
      join.onRef('before.provider_id', '=', 'named.provider_id').onRef('before.external_id', '=', 'named.external_id'),
    )
    .select(['named.provider_id', 'named.external_id', 'listings.version'])
    .select(['before.tools_hash', 'before.prints', 'before.version as from_version'])
    .where('named.target_id', '=', target_id)
    .where('listings.removed_at', 'is', null)
    .limit(MOST_LISTINGS)
    .execute();
  for (const row of named) {
    const version = storable((row.version || server_version).slice(0, VERSION_CHARS));
    if (row.tools_hash === hash && row.from_version === version) continue;
    const before = row.prints === null || row.tools_hash === hash ? null : (JSON.parse(row.prints) as ToolPrint[]);
    const changes = before === null ? null : changesBetween(before, prints);
    if (changes !== null) await addChange(trx, row, { from_version: row.from_version ?? '', version, changes }, now);
    await saveSet(trx, row, { version, tools_hash: hash, prints: JSON.stringify(prints) });
  }
}

async function saveSet(
  trx: Db,
  { provider_id, external_id }: ListingKey,
  set: { version: string; tools_hash: string; prints: string },
): Promise<void> {
  await trx
    .insertInto('listing_tool_sets')
    .values({ provider_id, external_id, ...set })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id']).doUpdateSet(set))
    .execute();
}

async function addChange(
  trx: Db,
  { provider_id, external_id }: ListingKey,
  { from_version, version, changes }: { from_version: string; version: string; changes: Changes },
  now: string,
): Promise<void> {
  const edit = { from_version, version, changes: JSON.stringify(changes) };
  await trx
    .insertInto('listing_tool_changes')
    .values({ provider_id, external_id, changed_at: now, ...edit })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id', 'changed_at']).doUpdateSet(edit))
    .execute();
  const oldest = await trx
    .selectFrom('listing_tool_changes')
    .select('changed_at')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .orderBy('changed_at', 'desc')
    .offset(MOST_CHANGES)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await trx
    .deleteFrom('listing_tool_changes')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .where('changed_at', '<=', oldest.changed_at)
    .execute();
}

/** Newest first. */
export async function toolChangesOf(db: Db, { provider_id, external_id }: ListingKey): Promise<ToolChange[]> {
  const rows = await db
    .selectFrom('listing_tool_changes')
    .select(['changed_at', 'from_version', 'version', 'changes'])
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .orderBy('changed_at', 'desc')
    .limit(MOST_CHANGES)
    .execute();
  return rows.map(({ changes, ...row }) => ({ ...row, ...(JSON.parse(changes) as Changes) }));
}
