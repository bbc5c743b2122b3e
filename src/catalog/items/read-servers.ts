import { type Kysely, sql } from 'kysely';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { ListingKey } from './read-items.ts';

/** SQL that pages through server listings with small indexes, and reads large columns only for the rows of a page. */

type Db = Kysely<Schema>;

/** The columns that select a page. */
export type ServerLine = ListingKey & Pick<ListingRow, 'name' | 'version' | 'changed_at' | 'removed_at'>;

/** `key`: by provider and id. `changed`: by change time, oldest first. */
type ServerOrder = 'key' | 'changed';

export interface ServerPage {
  order: ServerOrder;
  /** The line before the page. */
  after: (ListingKey & Pick<ListingRow, 'changed_at'>) | null;
  /** Only changes at this time or later. Ignored with `after`, which is stricter: an index uses one bound. */
  since: string | null;
  with_removed: boolean;
  limit: number;
}

// A literal as in the partial indexes; they would not be used with a parameter.
const IS_SERVER = sql<boolean>`listing_type = 'server'`;

export function serverLines(db: Db, { order, after, since, with_removed, limit }: ServerPage): Promise<ServerLine[]> {
  const columns = order === 'key' ? KEY : CHANGED;
  const last =
    after === null ? null : [...(order === 'key' ? [] : [after.changed_at]), after.provider_id, after.external_id];
  return db
    .selectFrom('listings')
    .select(['provider_id', 'external_id', 'name', 'version', 'changed_at', 'removed_at'])
    .where(IS_SERVER)
    .$if(!with_removed, (query) => query.where('removed_at', 'is', null))
    .$if(since !== null && after === null, (query) => query.where('changed_at', '>=', since ?? ''))
    .$if(last !== null, (query) =>
      query.where(sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(last ?? [])})`),
    )
    .$if(order === 'changed', (query) => query.orderBy('changed_at'))
    .orderBy('provider_id')
    .orderBy('external_id')
    .limit(limit)
    .execute();
}

const KEY = ['provider_id', 'external_id'] as const;
const CHANGED = ['changed_at', ...KEY] as const;

/** Full rows in the order of the keys, without removed ones. Request only a few, because rows may be large. */
export async function rowsOf(db: Db, keys: readonly ListingKey[]): Promise<ListingRow[]> {
  const found: ListingRow[] = [];
  for (const providerId of new Set(keys.map((key) => key.provider_id))) {
    const ids = keys.filter((key) => key.provider_id === providerId).map((key) => key.external_id);
    const query = db.selectFrom('listings').selectAll().where('provider_id', '=', providerId);
    found.push(...(await query.where('external_id', 'in', ids).execute()));
  }
  return keys.flatMap(
    (key) =>
      found.find((listing) => listing.provider_id === key.provider_id && listing.external_id === key.external_id) ?? [],
  );
}

/** Server ids of a provider with this prefix, including tombstones. */
export async function serverIdsBeginning(db: Db, provider_id: string, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('listings')
    .select('external_id')
    .where(IS_SERVER)
    .where('provider_id', '=', provider_id)
    .where(sql<boolean>`substr(external_id, 1, ${[...prefix].length}) = ${prefix}`)
    .limit(MAX_IDS)
    .execute();
  return rows.map((row) => row.external_id);
}

const MAX_IDS = 1_000;

/** The listings most recently added here, newest first. */
export const newestRows = (db: Db, limit: number): Promise<ListingRow[]> =>
  db
    .selectFrom('listings')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('first_seen_at', 'desc')
    .orderBy('provider_id')
    .orderBy('external_id')
    .limit(limit)
    .execute();
