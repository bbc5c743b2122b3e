import { lazySeq } from '#catalog/changes/changes.ts';
import { linkChanged } from '#catalog/identity/link.ts';
import { linkDbOver } from '#catalog/identity/save.ts';
import type { Listing } from '#catalog/items/item.ts';
import { removeListings, saveListings } from '#catalog/items/items.ts';
import type { Database } from '#core/db/open.ts';
import { until } from './until.ts';

/** Saves listings like a sync does, and links them without a job. */

const NOW = '2026-03-01T00:00:00.000Z';
/** Each save is a separate run, so that none yields to another. */
let runs = 0;

/** One transaction, and so one change number, per provider. */
export async function saveAll({ db }: Pick<Database, 'db'>, listings: readonly Listing[]): Promise<void> {
  for (const [provider, some] of Map.groupBy(listings, (listing) => listing.provider_id))
    await db.transaction().execute(async (trx) => {
      await saveListings(trx, provider, some, { run: `run ${++runs}`, now: NOW, seq: lazySeq(trx) });
    });
}

export async function removeAll(
  { db }: Pick<Database, 'db'>,
  keys: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [provider, id] of keys)
    await db.transaction().execute(async (trx) => {
      await removeListings(trx, provider, [id], { run: `run ${++runs}`, now: NOW, seq: lazySeq(trx) });
    });
}

/** Only beside a service that is `quiet`. Returns how many listings were processed. */
export const linkNow = (database: Pick<Database, 'db' | 'engine'>, page = 100): Promise<number> =>
  linkChanged(linkDbOver(database), { page, now: () => NOW });

/** Where a service works, its own job links: beside it, a second linker would save the same rows. */
export async function linked({ db }: Pick<Database, 'db'>): Promise<void> {
  await until('linked listings', async () => {
    const behind = await db
      .selectFrom('listings')
      .select('seq')
      .where('seq', '>', (of) =>
        of.selectFrom('change_counters').select('value').where('name', '=', 'capabilities_listings'),
      )
      .limit(1)
      .execute();
    return behind.length === 0;
  });
}

/** As `linkNow`, but links all listings at once first. */
export const linkAllNow = (database: Pick<Database, 'db' | 'engine'>, page = 100): Promise<number> =>
  linkChanged(linkDbOver(database), { page, now: () => NOW, isWorthLinkingAll: () => true });

/** The groups with more than one member, as sorted lists of `provider external_id`. */
export async function groupsIn({ db }: Pick<Database, 'db'>): Promise<string[][]> {
  const rows = await db.selectFrom('capabilities').selectAll().where('is_live', '=', 1).execute();
  return [...Map.groupBy(rows, (row) => row.stands_id).values()]
    .map((group) => group.map((entry) => `${entry.provider_id} ${entry.external_id}`).sort())
    .filter((group) => group.length > 1)
    .sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1));
}

/** What else the linker stores: links with their evidence, and keys, by `provider external_id`, sorted. */
export async function linksIn({ db }: Pick<Database, 'db'>): Promise<string[]> {
  const rows = await db.selectFrom('capabilities').selectAll().execute();
  const names = new Map(rows.map((row) => [row.id, `${row.provider_id} ${row.external_id}`]));
  const links = await db.selectFrom('capability_links').selectAll().execute();
  const keys = await db.selectFrom('capability_keys').selectAll().execute();
  return [
    ...links.map(
      (link) => `${[names.get(link.a_id), names.get(link.b_id)].sort()} ${link.confidence} ${link.evidence}`,
    ),
    ...keys.map((key) => `${names.get(key.id)} ${key.key} ${key.shelf}`),
  ].sort();
}
