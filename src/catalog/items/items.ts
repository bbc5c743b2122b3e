import { type Kysely, sql } from 'kysely';
import { changeTime } from '#catalog/changes/changes.ts';
import { detailsOf, makeDue, withDetail } from '#catalog/details/details.ts';
import { countOf } from '#core/db/pages.ts';
import type { ListingDetailRow, ListingRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { factsIn, HELD, type ListedStatus, withHistory } from './facts.ts';
import type { Listing } from './item.ts';
import { type ContentRow, contentOf, storedFacts } from './listing-row.ts';
import { saveReadmes } from './readmes.ts';

/** The SQL that writes `listings`; read-items.ts reads them. */

type Db = Kysely<Schema>;

/** Keeps rows × columns below both databases' limit of 32,766 parameters per statement. */
const ROWS_PER_INSERT = 200;
const IDS_PER_STATEMENT = 1_000;
/** `seen_run` of an imported listing that no sync has seen. */
export const IMPORTED = 'import';

export interface Save {
  /** Id of the sync run, or IMPORTED. */
  run: string;
  now: string;
  seq: () => Promise<number>;
}

interface Saved {
  /** Listings that are new in this run; for an import, those that did not yield to a sync. */
  seen: number;
  added: number;
  updated: number;
}

type SavedRow = Pick<
  ListingRow,
  'external_id' | 'digest' | 'removed_at' | 'taken_down' | 'seen_run' | 'external_updated_at' | 'facts_held'
>;

/**
 * Saves listings of one provider. Unchanged ones are only marked as seen; new, changed and returned ones get the transaction's
 * sequence number. If an id occurs twice in a run, the first record wins. Taken-down listings are updated but stay down.
 */
export async function saveListings(trx: Db, provider_id: string, listings: Listing[], save: Save): Promise<Saved> {
  const unique = firstOfEach(listings);
  const details = await detailsOfMany(
    trx,
    provider_id,
    unique.map((listing) => listing.external_id),
  );
  const rows = unique.map((listing) => contentOf(withDetail(listing, details.get(listing.external_id))));
  const saved = await savedRows(
    trx,
    provider_id,
    rows.map((row) => row.external_id),
  );
  const fresh = rows.filter((row) => isDue(row, saved.get(row.external_id), save.run));
  const changed = fresh.filter((row) => !isSame(row, saved.get(row.external_id)));
  const same = fresh.filter((row) => isSame(row, saved.get(row.external_id)));
  if (changed.length > 0) {
    await writeRows(trx, await withEarlierVersions(trx, provider_id, changed, saved), save);
    await saveReadmes(trx, provider_id, readmesToSave(unique, changed, saved));
    const ids = new Set(changed.map((row) => row.external_id));
    await makeDue(
      trx,
      provider_id,
      unique.filter((listing) => details.has(listing.external_id) && ids.has(listing.external_id)),
      save.now,
    );
  }
  if (save.run !== IMPORTED) await touch(trx, provider_id, same, save);
  const added = changed.filter((row) => !isKnown(saved.get(row.external_id))).length;
  return { seen: fresh.length, added, updated: changed.length - added };
}

/** Lists name the latest version only, so earlier ones are kept from what earlier syncs saw. */
async function withEarlierVersions(
  trx: Db,
  providerId: string,
  rows: ContentRow[],
  saved: ReadonlyMap<string, SavedRow>,
): Promise<ContentRow[]> {
  const merged: ContentRow[] = [];
  for (const some of chunks(rows, HISTORIES_AT_ONCE)) {
    const known = some.filter((row) => saved.has(row.external_id));
    const before = await factsBefore(
      trx,
      providerId,
      known.map((row) => row.external_id),
    );
    for (const row of some) {
      const earlier = before.get(row.external_id);
      if (earlier == null) merged.push(row);
      else merged.push({ ...row, facts: storedFacts(withHistory(factsIn(row.facts), factsIn(earlier))) });
    }
  }
  return merged;
}

/** Facts take at most 64 KB each. */
const HISTORIES_AT_ONCE = 100;

async function factsBefore(trx: Db, providerId: string, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom('listings')
    .select(['external_id', 'facts'])
    .where('provider_id', '=', providerId)
    .where('external_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ external_id, facts }) => [external_id, facts]));
}

/** Texts of these rows by id; '' for a text that is stored and no longer part of the record. */
function readmesToSave(
  listings: Listing[],
  rows: ContentRow[],
  saved: ReadonlyMap<string, SavedRow>,
): Map<string, string> {
  const texts = new Map(listings.map(({ external_id, readme = '' }) => [external_id, readme]));
  return new Map(
    rows
      .map(({ external_id }) => [external_id, texts.get(external_id) ?? ''] as const)
      .filter(([id, text]) => text !== '' || ((saved.get(id)?.facts_held ?? 0) & HELD.readme) !== 0),
  );
}

function firstOfEach(listings: Listing[]): Listing[] {
  const byId = new Map<string, Listing>();
  for (const listing of listings) if (!byId.has(listing.external_id)) byId.set(listing.external_id, listing);
  // Sorted, so that concurrent writers wait for each other instead of deadlocking.
  return [...byId.values()].sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
}

async function detailsOfMany(trx: Db, providerId: string, ids: string[]): Promise<Map<string, ListingDetailRow>> {
  const found = new Map<string, ListingDetailRow>();
  for (const some of chunks(ids, IDS_PER_STATEMENT))
    for (const [id, detail] of await detailsOf(trx, providerId, some)) found.set(id, detail);
  return found;
}

/** An import yields to a listing that a sync has seen, unless the imported record is newer. */
function isDue(row: ContentRow, old: SavedRow | undefined, run: string): boolean {
  if (old === undefined) return true;
  if (run !== IMPORTED) return old.seen_run !== run;
  return old.seen_run === IMPORTED || (row.external_updated_at ?? '') > (old.external_updated_at ?? '');
}

const isSame = (row: ContentRow, old: SavedRow | undefined): boolean => isKnown(old) && old?.digest === row.digest;

/** Whether the listing already existed, live or taken down. */
const isKnown = (old: SavedRow | undefined): boolean =>
  old !== undefined && (old.removed_at === null || old.taken_down !== null);

async function savedRows(trx: Db, providerId: string, ids: string[]): Promise<Map<string, SavedRow>> {
  const found = new Map<string, SavedRow>();
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const rows = await trx
      .selectFrom('listings')
      .select(['external_id', 'digest', 'removed_at', 'taken_down', 'seen_run', 'external_updated_at', 'facts_held'])
      .where('provider_id', '=', providerId)
      .where('external_id', 'in', some)
      .execute();
    for (const row of rows) found.set(row.external_id, row);
  }
  return found;
}

async function writeRows(trx: Db, contents: ContentRow[], save: Save): Promise<void> {
  const { run, now } = save;
  const state = {
    ...(await changeOf(trx, save)),
    first_seen_at: now,
    last_seen_at: now,
    seen_run: run,
    missed_runs: 0,
  };
  for (const some of chunks(contents, ROWS_PER_INSERT)) {
    await trx
      .insertInto('listings')
      .values(some.map((content) => ({ ...content, ...state, removed_at: null })))
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'external_id']).doUpdateSet((eb) => ({
          ...Object.fromEntries(OVERWRITTEN.map((column) => [column, eb.ref(`excluded.${column}`)])),
          // A listing that a sync has seen stays marked so when an import updates it.
          ...defined({ seen_run: run === IMPORTED ? undefined : eb.ref('excluded.seen_run') }),
          removed_at: sql<string | null>`CASE WHEN listings.taken_down IS NULL THEN NULL ELSE listings.removed_at END`,
        })),
      )
      .execute();
  }
}

/** Takes the number first; its lock keeps times in the order of numbers. */
const changeOf = async (trx: Db, { seq, now }: Save) => ({ seq: await seq(), changed_at: await changeTime(trx, now) });

const OVERWRITTEN = [
  ...(['name', 'description', 'version', 'author', 'homepage', 'downloads', 'stars', 'tags'] as const),
  ...(['listing_type', 'execution_class', 'external_updated_at', 'license', 'repository', 'install'] as const),
  ...(['manifest', 'reported', 'verdicts', 'facts', 'facts_held', 'digest'] as const),
  ...(['seq', 'changed_at', 'last_seen_at', 'missed_runs'] as const),
];

async function touch(trx: Db, providerId: string, rows: ContentRow[], { run, now }: Save): Promise<void> {
  for (const some of chunks(rows, IDS_PER_STATEMENT)) {
    await trx
      .updateTable('listings')
      .set({ last_seen_at: now, seen_run: run, missed_runs: 0 })
      .where('provider_id', '=', providerId)
      .where(
        'external_id',
        'in',
        some.map((row) => row.external_id),
      )
      .execute();
  }
}

/** Turns listings into tombstones that their provider reports as deleted. Returns how many were live. */
export async function removeListings(trx: Db, provider_id: string, ids: string[], save: Save): Promise<number> {
  const rows = [...(await savedRows(trx, provider_id, ids)).values()];
  await missTakenDown(trx, provider_id, rows);
  const live = rows.filter((row) => row.removed_at === null);
  if (live.length === 0) return 0;
  await trx
    .updateTable('listings')
    .set({ removed_at: save.now, ...(await changeOf(trx, save)), seen_run: save.run })
    .where('provider_id', '=', provider_id)
    .where(
      'external_id',
      'in',
      live.map((row) => row.external_id),
    )
    .execute();
  return live.length;
}

/** Why their provider deleted listings. Rows that were never saved are left out. */
export async function saveStatuses(
  trx: Db,
  provider_id: string,
  statuses: ReadonlyMap<string, ListedStatus>,
): Promise<void> {
  if (statuses.size === 0) return;
  for (const [external_id, facts] of await factsBefore(trx, provider_id, [...statuses.keys()])) {
    const status = statuses.get(external_id);
    await trx
      .updateTable('listings')
      .set({ facts: storedFacts({ ...factsIn(facts), ...defined({ status }) }) })
      .where('provider_id', '=', provider_id)
      .where('external_id', '=', external_id)
      .execute();
  }
}

/** A listing that its provider deletes during a takedown does not return when the takedown is lifted. */
async function missTakenDown(trx: Db, providerId: string, rows: SavedRow[]): Promise<void> {
  const down = rows.filter((row) => row.taken_down !== null).map((row) => row.external_id);
  if (down.length === 0) return;
  await trx
    .updateTable('listings')
    .set({ missed_runs: 2 })
    .where('provider_id', '=', providerId)
    .where('external_id', 'in', down)
    .execute();
}

/** Counts a missed run for every listing that a full run did not see. Two missed runs in a row make a tombstone. */
export async function removeMissing(trx: Db, provider_id: string, save: Save): Promise<number> {
  await trx
    .updateTable('listings')
    .set({ missed_runs: sql<number>`missed_runs + 1` })
    .where('provider_id', '=', provider_id)
    .where('removed_at', 'is', null)
    .where('seen_run', '<>', save.run)
    .execute();
  return removeMissedTwice(trx, provider_id, save);
}

/** For a run whose response equals the last one: what was missing then is missing again. */
export async function removeStillMissing(trx: Db, provider_id: string, save: Save): Promise<number> {
  await trx
    .updateTable('listings')
    .set({ missed_runs: sql<number>`missed_runs + 1` })
    .where('provider_id', '=', provider_id)
    .where('removed_at', 'is', null)
    .where('missed_runs', '>', 0)
    .execute();
  return removeMissedTwice(trx, provider_id, save);
}

async function removeMissedTwice(trx: Db, providerId: string, save: Save): Promise<number> {
  const missed = await countOf(
    trx
      .selectFrom('listings')
      .where('provider_id', '=', providerId)
      .where('removed_at', 'is', null)
      .where('missed_runs', '>=', 2),
  );
  if (missed === 0) return 0;
  await trx
    .updateTable('listings')
    .set({ removed_at: save.now, ...(await changeOf(trx, save)) })
    .where('provider_id', '=', providerId)
    .where('removed_at', 'is', null)
    .where('missed_runs', '>=', 2)
    .execute();
  return missed;
}

/** Per statement, because databases limit the depth of conditions. */
const PURGED_AT_ONCE = 100;

/**
 * Deletes at most `most` tombstones from before this time, oldest first, except for takedowns. Returns their number and their
 * highest sequence number.
 */
export async function purgeTombstones(
  trx: Db,
  removed_before: string,
  most: number,
): Promise<{ count: number; seq: number }> {
  const rows = await trx
    .selectFrom('listings')
    .select(['provider_id', 'external_id', 'seq'])
    .where('removed_at', '<', removed_before)
    .where('taken_down', 'is', null)
    .orderBy('removed_at')
    .limit(most)
    .execute();
  for (const some of chunks(rows, PURGED_AT_ONCE))
    await trx
      .deleteFrom('listings')
      .where((eb) => eb.or(some.map(({ provider_id, external_id }) => eb.and({ provider_id, external_id }))))
      .execute();
  return { count: rows.length, seq: rows.reduce((mostSeq, { seq }) => Math.max(mostSeq, seq), 0) };
}

export const countLive = (db: Db, provider_id: string): Promise<number> =>
  countOf(db.selectFrom('listings').where('provider_id', '=', provider_id).where('removed_at', 'is', null));

export function chunks<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
