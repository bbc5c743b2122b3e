import { storedHint } from '#catalog/install/install-hint.ts';
import type { Item } from '#catalog/items/item.ts';
import { type ItemRow, itemOf } from '#catalog/items/listing-row.ts';
import type { Connection } from '#core/db/connection.ts';

/** Reads listings and their change sequence for the index thread: plain SQL over the thread's connection, without large columns. */

/** The current state of one listing; `item` is null if it was removed. */
export interface Change {
  provider_id: string;
  external_id: string;
  item: Item | null;
  /** How to install it, in a few words (install-hint.ts); '' if unknown. */
  hint?: string;
}

const PAGE = 1_000;
/** Up to this many changes use the sequence's index. For more, one pass over the table in key order is faster. */
const FEW = 20_000;

type Row = ItemRow & { removed_at: string | null; install: string | null };
type Key = Pick<Row, 'provider_id' | 'external_id'>;

const SELECT = `SELECT provider_id, external_id, name, description, version, author, homepage, downloads, stars, tags,
  listing_type, execution_class, external_updated_at, removed_at, install FROM listings`;

/** The newest change number, and the oldest number from which changes can still be followed. */
export async function readSequence(connection: Connection): Promise<{ current: number; purged: number }> {
  const rows = await connection.query<{ name: string; value: number }>(
    "SELECT name, value FROM change_counters WHERE name IN ('listings', 'listings_purged')",
  );
  const value = (name: string): number => rows.find((row) => row.name === name)?.value ?? 0;
  return { current: value('listings'), purged: value('listings_purged') };
}

/**
 * The listings that changed after `since`, each once, in pages; with 0, all current ones without tombstones. Run it in one read
 * transaction, or pages may show different states.
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
  // The plus keeps SQLite from using the sequence's index: sorting all matches for every page would be quadratic.
  const chosen = since === 0 ? 'removed_at IS NULL' : '+seq > ?';
  const later = after === undefined ? '' : 'AND (provider_id, external_id) > (?, ?)';
  return connection.query<Row>(`${SELECT} WHERE ${chosen} ${later} ORDER BY provider_id, external_id LIMIT ${PAGE}`, [
    ...(since === 0 ? [] : [since]),
    ...(after === undefined ? [] : [after.provider_id, after.external_id]),
  ]);
}
