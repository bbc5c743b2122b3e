import { storedHint } from '#catalog/install/install-hint.ts';
import type { Item } from '#catalog/items/item.ts';
import { type ItemRow, itemOf } from '#catalog/items/listing-row.ts';
import type { Connection } from '#core/db/connection.ts';

/**
 * What the catalogue reads of `listings` and of its change sequence: plain SQL over a connection of its own thread,
 * without the heaviest columns.
 */

/** One listing as it now is; `item` is null where it is gone. */
export interface Change {
  provider_id: string;
  external_id: string;
  item: Item | null;
  /** How it is had, in a few words (install-hint.ts); '' where left out. */
  hint?: string;
}

const PAGE = 1_000;
/** Up to here the sequence's index is used; above, one pass over the table in key order is shorter. */
const FEW = 20_000;

type Row = ItemRow & { removed_at: string | null; install: string | null };
type Key = Pick<Row, 'provider_id' | 'external_id'>;

const SELECT = `SELECT provider_id, external_id, name, description, version, author, homepage, downloads, stars, tags,
  listing_type, execution_class, external_updated_at, removed_at, install FROM listings`;

/** The newest change, and the oldest that can still be followed from. */
export async function readSequence(connection: Connection): Promise<{ current: number; purged: number }> {
  const rows = await connection.query<{ name: string; value: number }>(
    "SELECT name, value FROM change_counters WHERE name IN ('listings', 'listings_purged')",
  );
  const value = (name: string): number => rows.find((row) => row.name === name)?.value ?? 0;
  return { current: value('listings'), purged: value('listings_purged') };
}

/**
 * Everything changed after `since`, each listing once, in pages. With 0, what stands, without tombstones.
 * Run it at one moment, or the pages may show different ones.
 */
export async function* changesSince(connection: Connection, since: number): AsyncGenerator<Change[]> {
  if (since > 0 && (await countUpTo(connection, since, FEW + 1)) <= FEW) {
    yield (await connection.query<Row>(`${SELECT} WHERE seq > ?`, [since])).map(changeOf);
    return;
  }
  let after: Key | undefined;
  do {
    const rows = await pageAfter(connection, since, after);
    yield rows.map(changeOf);
    after = rows.length < PAGE ? undefined : rows.at(-1);
  } while (after !== undefined);
}

const changeOf = (row: Row): Change => ({
  provider_id: row.provider_id,
  external_id: row.external_id,
  item: row.removed_at === null ? itemOf(row) : null,
  hint: row.removed_at === null ? storedHint(row.install) : '',
});

async function countUpTo(connection: Connection, since: number, most: number): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    'SELECT COUNT(*) AS count FROM (SELECT seq FROM listings WHERE seq > ? LIMIT ?) AS few',
    [since, most],
  );
  return row?.count ?? 0;
}

function pageAfter(connection: Connection, since: number, after: Key | undefined): Promise<Row[]> {
  // The plus keeps the sequence's index out: sorting all of its matches for every page would be quadratic.
  const chosen = since === 0 ? 'removed_at IS NULL' : '+seq > ?';
  const later = after === undefined ? '' : 'AND (provider_id, external_id) > (?, ?)';
  return connection.query<Row>(`${SELECT} WHERE ${chosen} ${later} ORDER BY provider_id, external_id LIMIT ${PAGE}`, [
    ...(since === 0 ? [] : [since]),
    ...(after === undefined ? [] : [after.provider_id, after.external_id]),
  ]);
}
