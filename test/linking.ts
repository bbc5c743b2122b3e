import { linkAll } from '../src/features/marketplace/identity/link.ts';
import { linkDbOver } from '../src/features/marketplace/identity/link-over.ts';
import { lazySeq } from '../src/features/registry/changes.ts';
import type { Listing } from '../src/features/registry/item.ts';
import { removeListings, saveListings } from '../src/features/registry/items.ts';
import type { Database } from '../src/platform/db/open.ts';

/** Listings as a sync saves them, and the linker on what it finds; without a job. */

const NOW = '2026-03-01T00:00:00.000Z';
/** Each save is a run of its own, so that none gives way to another. */
let runs = 0;

/** One transaction, and so one number of change, for each provider. */
export async function saveAll({ db }: Pick<Database, 'db'>, listings: readonly Listing[]): Promise<void> {
  for (const [provider, some] of Map.groupBy(listings, (it) => it.provider_id))
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

/** Answers how many listings were looked at. */
export const linkNow = (database: Pick<Database, 'db' | 'engine'>, page = 100): Promise<number> =>
  linkAll(linkDbOver(database), { page, now: () => NOW });

/** The groups of more than one, as `provider external_id`, in one order. */
export async function groupsIn({ db }: Pick<Database, 'db'>): Promise<string[][]> {
  const rows = await db.selectFrom('capabilities').selectAll().where('is_live', '=', 1).execute();
  return [...Map.groupBy(rows, (it) => it.stands_id).values()]
    .map((group) => group.map((it) => `${it.provider_id} ${it.external_id}`).sort())
    .filter((group) => group.length > 1)
    .sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1));
}
