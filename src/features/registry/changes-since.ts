import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { Item } from './item.ts';
import { itemOf } from './listing-row.ts';

/** The SQL that reads `listings` for the catalogue: what changed after a sequence number, without the heavy columns. */

type Db = Kysely<Schema>;

/** One listing as it now is; `item` is null where it is gone. */
export interface Change {
  provider_id: string;
  external_id: string;
  item: Item | null;
}

const PAGE = 1_000;
/** Up to here the sequence's index is used; above, one pass over the table in key order is shorter. */
const FEW = 20_000;

/**
 * Everything changed after `since`, each listing once, in pages. With 0, what stands, without tombstones.
 * Run it in one read transaction, or the pages may show different moments.
 */
export async function* changesSince(db: Db, since: number): AsyncGenerator<Change[]> {
  if (since > 0 && (await countUpTo(db, since, FEW + 1)) <= FEW) {
    const rows = await columns(db).where('seq', '>', since).execute();
    yield rows.map(changeOf);
    return;
  }
  let after: Pick<Row, 'provider_id' | 'external_id'> | undefined;
  do {
    const rows = await pageAfter(db, since, after);
    yield rows.map(changeOf);
    after = rows.length < PAGE ? undefined : rows.at(-1);
  } while (after !== undefined);
}

const columns = (db: Db) =>
  db
    .selectFrom('listings')
    .select(['provider_id', 'external_id', 'name', 'description', 'version', 'author', 'homepage', 'downloads'])
    .select(['stars', 'tags', 'listing_type', 'execution_class', 'external_updated_at', 'removed_at']);

type Row = Awaited<ReturnType<ReturnType<typeof columns>['execute']>>[number];

const changeOf = (row: Row): Change => ({
  provider_id: row.provider_id,
  external_id: row.external_id,
  item: row.removed_at === null ? itemOf(row as Parameters<typeof itemOf>[0]) : null,
});

async function countUpTo(db: Db, since: number, most: number): Promise<number> {
  const some = db.selectFrom('listings').select('seq').where('seq', '>', since).limit(most).as('some');
  const { count } = await db
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function pageAfter(db: Db, since: number, after: Pick<Row, 'provider_id' | 'external_id'> | undefined): Promise<Row[]> {
  let query = columns(db).orderBy('provider_id').orderBy('external_id').limit(PAGE);
  // The plus keeps the sequence's index out: sorting all of its matches for every page would be quadratic.
  query = since === 0 ? query.where('removed_at', 'is', null) : query.where(sql<boolean>`+seq > ${since}`);
  if (after !== undefined) {
    const { provider_id, external_id } = after;
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('provider_id', 'external_id'), '>', tuple(provider_id, external_id)),
    );
  }
  return query.execute();
}
