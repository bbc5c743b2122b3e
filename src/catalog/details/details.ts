import type { Kysely } from 'kysely';
import { changeTime, lazySeq } from '#catalog/changes/changes.ts';
import type { Install, Listing } from '#catalog/items/item.ts';
import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { contentOf, listingOf } from '#catalog/items/listing-row.ts';
import { findRow, type ListingKey } from '#catalog/items/read-items.ts';
import type { ListingDetailRow, ListingRow, Schema } from '#core/db/schema.ts';

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

/** Completes a listing with its detail. Install information from the list takes precedence. */
export function withDetail<L extends Listing>(listing: L, detail: ListingDetailRow | undefined): L {
  if (detail === undefined) return listing;
  const install = listing.install ?? (detail.install === null ? null : (JSON.parse(detail.install) as Install));
  // Lists do not mention scripts, so a class learned from the files replaces `prompt`, but no other class.
  const isShown = listing.execution_class === 'prompt' && detail.execution_class !== null;
  const execution_class = isShown ? (detail.execution_class as ExecutionClass) : listing.execution_class;
  return { ...listing, install, execution_class };
}

type Edit = Partial<Omit<ListingDetailRow, 'provider_id' | 'external_id'>>;

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

/** Saves a detail, and changes the listing if the detail adds something. Does nothing for a removed listing. */
export const saveDetail = (db: Db, key: ListingKey, edit: Edit, now: string): Promise<ListingRow | undefined> =>
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
    return applyDetail(trx, row, { before, detail }, now);
  });

async function applyDetail(
  trx: Db,
  row: ListingRow,
  { before, detail }: { before: ListingDetailRow | undefined; detail: ListingDetailRow },
  now: string,
): Promise<ListingRow> {
  const listing = listingOf(row);
  // Values that an earlier detail put into the row did not come from the list.
  const listed: Listing = {
    ...listing,
    install: before?.install != null && row.install === before.install ? null : listing.install,
    execution_class: before?.execution_class === row.execution_class ? 'prompt' : listing.execution_class,
  };
  const content = contentOf(withDetail(listed, detail));
  if (content.digest === row.digest) return row;
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

/** Listings whose detail was never requested, most downloaded first, then those whose detail is due. */
export const listingsDue = (
  db: Db,
  { provider_id, listing_type, now, limit }: { provider_id: string; listing_type: string; now: string; limit: number },
): Promise<ListingRow[]> =>
  db
    .selectFrom('listings as l')
    .leftJoin('listing_details as d', (join) =>
      join.onRef('d.provider_id', '=', 'l.provider_id').onRef('d.external_id', '=', 'l.external_id'),
    )
    .selectAll('l')
    .where('l.provider_id', '=', provider_id)
    .where('l.listing_type', '=', listing_type)
    .where('l.removed_at', 'is', null)
    .where((where) => where.or([where('d.due_at', 'is', null), where('d.due_at', '<=', now)]))
    .orderBy((order) => order.case().when('d.due_at', 'is', null).then(0).else(1).end())
    .orderBy('l.downloads', 'desc')
    .orderBy('l.external_id')
    .limit(limit)
    .execute();
