import type { Kysely } from 'kysely';
import { changeTime, lazySeq } from '#catalog/changes/changes.ts';
import { factsIn, withFound, withoutFound } from '#catalog/items/facts.ts';
import type { Install, Listing } from '#catalog/items/item.ts';
import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { contentOf, listingOf } from '#catalog/items/listing-row.ts';
import { findRow, type ListingKey } from '#catalog/items/read-items.ts';
import type { ListingDetailRow, ListingRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { recordKey } from './record-key.ts';

/** What is known about single listings beyond their provider's list: the only SQL that names `listing_details`. */

type Db = Kysely<Schema>;

/** By external id. Listings without details are absent. */
export async function detailsOf(
  db: Db,
  provider_id: string,
  external_ids: readonly string[],
): Promise<Map<string, ListingDetailRow>> {
  const rows = await db
    .selectFrom('listing_details')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('external_id', 'in', [...external_ids, ''])
    .execute();
  return new Map(rows.map((row) => [row.external_id, row]));
}

export const findDetail = (db: Db, key: ListingKey): Promise<ListingDetailRow | undefined> =>
  detailsOf(db, key.provider_id, [key.external_id]).then((found) => found.get(key.external_id));

/** Completes a listing with its detail. Install information and license of the list take precedence. */
export function withDetail<L extends Listing>(listing: L, detail: ListingDetailRow | undefined): L {
  if (detail === undefined) return listing;
  const install = listing.install ?? (detail.install === null ? null : (JSON.parse(detail.install) as Install));
  // Lists do not mention scripts, so a class learned from the files replaces `prompt`, but no other class.
  const isShown = listing.execution_class === 'prompt' && detail.execution_class !== null;
  const execution_class = isShown ? (detail.execution_class as ExecutionClass) : listing.execution_class;
  const facts = detail.facts == null ? listing.facts : withFound(listing.facts ?? {}, factsIn(detail.facts));
  const license = listing.license || (detail.license ?? '');
  return { ...listing, install, execution_class, license, ...defined({ facts }) };
}

/** The listing as its list has it, without what the detail added to the row. */
function withoutDetail(row: ListingRow, detail: ListingDetailRow | undefined): Listing {
  const listing = listingOf(row);
  if (detail === undefined) return listing;
  const facts = detail.facts == null ? (listing.facts ?? {}) : withoutFound(listing.facts ?? {}, factsIn(detail.facts));
  const { facts: _, ...rest } = listing;
  return {
    ...rest,
    install: detail.install !== null && row.install === detail.install ? null : listing.install,
    license: detail.license !== null && row.license === detail.license ? '' : listing.license,
    execution_class: detail.execution_class === row.execution_class ? 'prompt' : listing.execution_class,
    ...defined({ facts: Object.keys(facts).length === 0 ? undefined : facts }),
  };
}

export type DetailEdit = Partial<Omit<ListingDetailRow, 'provider_id' | 'external_id'>>;

const NOTHING = {
  install: null,
  execution_class: null,
  digest: null,
  validators: '{}',
  failures: 0,
  fetched_at: null,
  due_at: null,
  facts: null,
  license: null,
  files: null,
  file_count: null,
  record_key: null,
  error: '',
};

/**
 * Saves a detail, and changes the listing if the detail adds something, or if documents beside it changed (`touched`), so that exports and
 * indexes follow. Does nothing for a removed listing.
 */
export const saveDetail = (
  db: Db,
  key: ListingKey,
  edit: DetailEdit,
  now: string,
  touched = false,
): Promise<ListingRow | undefined> =>
  db.transaction().execute(async (trx) => {
    const row = await findRow(trx, key);
    if (row === undefined) return undefined;
    const before = await findDetail(trx, key);
    const detail = { ...NOTHING, ...before, ...edit, provider_id: key.provider_id, external_id: key.external_id };
    await trx
      .insertInto('listing_details')
      .values(detail)
      .onConflict((conflict) => conflict.columns(['provider_id', 'external_id']).doUpdateSet(edit))
      .execute();
    return applyDetail(trx, row, { before, detail, touched }, now);
  });

async function applyDetail(
  trx: Db,
  row: ListingRow,
  { before, detail, touched }: { before: ListingDetailRow | undefined; detail: ListingDetailRow; touched: boolean },
  now: string,
): Promise<ListingRow> {
  // Values that an earlier detail put into the row did not come from the list.
  const listed = withoutDetail(row, before);
  const content = contentOf(withDetail(listed, detail));
  if (content.digest === row.digest && !touched) return row;
  const seq = await lazySeq(trx)();
  const changed = { ...content, seq, changed_at: await changeTime(trx, now) };
  await trx
    .updateTable('listings')
    .set(changed)
    .where('provider_id', '=', row.provider_id)
    .where('external_id', '=', row.external_id)
    .execute();
  return { ...row, ...changed };
}

/** Of `due_at`: a change of the record makes it due. */
export const UNTIL_CHANGED = '9999-12-31T00:00:00.000Z';

/** Details of changed records are requested again. Returns nothing; unchanged ones keep their time. */
export async function makeDue(db: Db, provider_id: string, listings: readonly Listing[], now: string): Promise<void> {
  for (let at = 0; at < listings.length; at += IDS_PER_STATEMENT) {
    const keys = new Map(
      listings.slice(at, at + IDS_PER_STATEMENT).map((listing) => [listing.external_id, recordKey(listing)]),
    );
    const rows = await db
      .selectFrom('listing_details')
      .select(['external_id', 'record_key'])
      .where('provider_id', '=', provider_id)
      .where('external_id', 'in', [...keys.keys()])
      .where('due_at', '>', now)
      .execute();
    const changed = rows.filter(({ external_id, record_key }) => record_key !== keys.get(external_id));
    if (changed.length === 0) continue;
    await db
      .updateTable('listing_details')
      .set({ due_at: now })
      .where('provider_id', '=', provider_id)
      .where(
        'external_id',
        'in',
        changed.map(({ external_id }) => external_id),
      )
      .execute();
  }
}

const IDS_PER_STATEMENT = 1_000;

/** Where a walk over the listings of a provider is; null at its start. */
export type Walked = { downloads: number; external_id: string } | null;

/** The next listings, most downloaded first, and where they end. */
export const popularKeys = (
  db: Db,
  provider_id: string,
  after: Walked,
  limit: number,
): Promise<{ external_id: string; downloads: number }[]> =>
  db
    .selectFrom('listings')
    .select(['external_id', 'downloads'])
    .where('provider_id', '=', provider_id)
    .where('removed_at', 'is', null)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('downloads', 'external_id'), '<', tuple(after?.downloads ?? 0, after?.external_id ?? '')),
      ),
    )
    .orderBy('downloads', 'desc')
    .orderBy('external_id', 'desc')
    .limit(limit)
    .execute();

/** Those among these whose detail was never requested or is due. */
export async function dueAmong(db: Db, provider_id: string, ids: readonly string[], now: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('listing_details')
    .select('external_id')
    .where('provider_id', '=', provider_id)
    .where('external_id', 'in', ids)
    .where('due_at', '>', now)
    .execute();
  const known = new Set(rows.map(({ external_id }) => external_id));
  return ids.filter((id) => !known.has(id));
}

/** Listings about which nothing can be requested are passed over until their record changes. */
export const passOver = (db: Db, listing: ListingRow): Promise<void> =>
  keepDetail(db, listing, { due_at: UNTIL_CHANGED, record_key: recordKey(listing) });

/** Saves a detail alone; the listing stays as it is. */
export async function keepDetail(db: Db, { provider_id, external_id }: ListingKey, edit: DetailEdit): Promise<void> {
  await db
    .insertInto('listing_details')
    .values({ ...NOTHING, provider_id, external_id, ...edit })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id']).doUpdateSet(edit))
    .execute();
}
