import type { Connection } from '#core/db/connection.ts';
import type { CapabilityJudgementRow, CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { marks } from './capabilities.ts';
import type { OwnCounter } from './progress.ts';
import { type TraitRow, type Traits, traitsOf } from './traits.ts';

/** SQL of the linker's tables. Plain SQL over a connection, so that a worker thread needs no query builder. */

export type Db = Pick<Connection, 'query'>;
type Value = string | number | null;

/** Rows or parameters per statement. */
const PAGE = 500;

function pages<T>(all: readonly T[], size = PAGE): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

/** Runs the statement once per page of the list and joins the results. `sql` receives the page's parameter marks. */
async function queryPages<T>(db: Db, list: readonly string[], sql: (marks: string) => string): Promise<T[]> {
  const found: T[] = [];
  for (const some of pages(list)) found.push(...(await db.query<T>(sql(marks(some)), some)));
  return found;
}

async function insert(db: Db, head: string, rows: readonly (readonly Value[])[], tail = ''): Promise<void> {
  for (const some of pages(rows)) {
    const row = `(${marks(some[0] as readonly Value[])})`;
    await db.query(`${head} VALUES ${some.map(() => row).join(',')} ${tail}`, some.flat());
  }
}

export type ChangedListing = TraitRow & { seq: number; removed_at: string | null };

/** A position in the change sequence of listings. */
export interface Place {
  seq: number;
  provider_id: string;
  external_id: string;
}
type ListingKey = Omit<Place, 'seq'>;

const TRAITS = [
  'provider_id',
  'external_id',
  'name',
  'description',
  'homepage',
  'listing_type',
  'repository',
  'install',
];
/** Only the official registry's manifests contain something that no other column has. */
const MANIFEST = "CASE WHEN l.provider_id = 'mcp-registry' THEN l.manifest END AS manifest";
const TRAIT_COLUMNS = `${TRAITS.map((column) => `l.${column}`).join(', ')}, ${MANIFEST}`;

/** The listings that changed after a place, in the order of the sequence, including removed ones. */
export function changedListings(
  db: Db,
  { seq, provider_id, external_id }: Place,
  limit: number,
): Promise<ChangedListing[]> {
  return db.query(
    `SELECT ${TRAIT_COLUMNS}, l.seq, l.removed_at FROM listings l WHERE (l.seq, l.provider_id, l.external_id) > (?, ?, ?)
     ORDER BY l.seq, l.provider_id, l.external_id LIMIT ?`,
    [seq, provider_id, external_id, limit],
  );
}

/** How many listings there are, and how many changed after this sequence number. */
export async function countListings(db: Db, seq: number): Promise<{ all: number; changed: number }> {
  const [row] = await db.query<{ all: number; changed: number }>(
    'SELECT (SELECT COUNT(*) FROM listings) AS "all", (SELECT COUNT(*) FROM listings WHERE seq > ?) AS changed',
    [seq],
  );
  return { all: Number(row?.all ?? 0), changed: Number(row?.changed ?? 0) };
}

/** At most `limit` published listings that changed after this number, extended to all of the last number. */
export async function changedPublished(db: Db, seq: number, limit: number): Promise<{ id: string; seq: number }[]> {
  const rows = await db.query<{ id: string; seq: number }>(
    'SELECT id, seq FROM published_listings WHERE seq > ? ORDER BY seq LIMIT ?',
    [seq, limit],
  );
  const last = rows.at(-1);
  if (last === undefined || rows.length < limit) return rows;
  const rest = await db.query<{ id: string; seq: number }>('SELECT id, seq FROM published_listings WHERE seq = ?', [
    last.seq,
  ]);
  return [...rows.filter((row) => row.seq !== last.seq), ...rest];
}

export function setCounter(db: Db, name: OwnCounter, value: number) {
  return db.query('UPDATE change_counters SET value = ? WHERE name = ?', [value, name]);
}

/** Takes the next number of the capabilities' change sequence and locks its counter until the transaction ends. */
export async function nextSeq(db: Db): Promise<number> {
  const [row] = await db.query<{ value: number }>(
    "UPDATE change_counters SET value = value + 1 WHERE name = 'capabilities' RETURNING value",
  );
  return (row as { value: number }).value;
}

export function listingKey({ provider_id, external_id }: ListingKey): string {
  return `${provider_id} ${external_id}`;
}

/** The capabilities of these listings, by `listingKey`. */
export async function capabilitiesOf(db: Db, listings: readonly ListingKey[]): Promise<Map<string, CapabilityRow>> {
  const found = new Map<string, CapabilityRow>();
  for (const [provider, some] of Map.groupBy(listings, ({ provider_id }) => provider_id))
    for (const page of pages(some.map(({ external_id }) => external_id))) {
      const rows = await db.query<CapabilityRow>(
        `SELECT * FROM capabilities WHERE provider_id = ? AND external_id IN (${marks(page)})`,
        [provider, ...page],
      );
      for (const row of rows) found.set(listingKey(row), row);
    }
  return found;
}

export function capabilitiesById(db: Db, ids: readonly string[]): Promise<CapabilityRow[]> {
  return queryPages(db, ids, (some) => `SELECT * FROM capabilities WHERE id IN (${some})`);
}

/** All rows of the groups that these ids represent, including rows of removed listings. */
export function pointingTo(db: Db, ids: readonly string[]): Promise<CapabilityRow[]> {
  return queryPages(db, ids, (some) => `SELECT * FROM capabilities WHERE stands_id IN (${some})`);
}

/** An unsaved row for a new listing, alone in its group. */
export function newCapability(
  id: string,
  { provider_id, external_id, listing_type }: Pick<ChangedListing, 'provider_id' | 'external_id' | 'listing_type'>,
  now: string,
): CapabilityRow {
  return {
    id,
    provider_id,
    external_id,
    listing_type,
    is_live: 1,
    stands_id: id,
    traits: '',
    evidence: '[]',
    confidence: 0,
    seq: 0,
    created_at: now,
    updated_at: now,
  };
}

const COLUMNS = [
  ...(['id', 'provider_id', 'external_id', 'listing_type', 'is_live', 'stands_id', 'traits', 'evidence'] as const),
  ...(['confidence', 'seq', 'created_at', 'updated_at'] as const),
] as const;
const OVERWRITTEN = COLUMNS.filter((column) => !['id', 'provider_id', 'external_id', 'created_at'].includes(column));

/** Saves rows as changed by the transaction with this sequence number. */
export function saveCapabilities(
  db: Db,
  rows: readonly CapabilityRow[],
  { seq, now }: { seq: number; now: string },
): Promise<void> {
  return insert(
    db,
    `INSERT INTO capabilities (${COLUMNS.join(', ')})`,
    rows.map((row) => ({ ...row, seq, updated_at: now })).map((row) => COLUMNS.map((column) => row[column])),
    `ON CONFLICT (id) DO UPDATE SET ${OVERWRITTEN.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  );
}

export interface HeldKey {
  id: string;
  key: string;
  shelf: string;
}

export function keysOfIds(db: Db, ids: readonly string[]): Promise<HeldKey[]> {
  return queryPages(db, ids, (some) => `SELECT id, key, shelf FROM capability_keys WHERE id IN (${some})`);
}

/** Replaces all keys of `ids` by `keys`. */
export async function replaceKeys(db: Db, keys: readonly HeldKey[], ids: readonly string[]): Promise<void> {
  await queryPages(db, ids, (some) => `DELETE FROM capability_keys WHERE id IN (${some})`);
  await insert(
    db,
    'INSERT INTO capability_keys (key, id, shelf)',
    keys.map(({ key, id, shelf }) => [key, id, shelf]),
  );
}

/** How many capabilities have each key, by shelf. */
export function countSharing(
  db: Db,
  keys: readonly string[],
): Promise<{ key: string; shelf: string; count: number }[]> {
  return queryPages(
    db,
    keys,
    (some) => `SELECT key, shelf, COUNT(*) AS count FROM capability_keys WHERE key IN (${some}) GROUP BY key, shelf`,
  );
}

export function idsWithKeys(db: Db, keys: readonly string[]): Promise<{ key: string; id: string }[]> {
  return queryPages(db, keys, (some) => `SELECT key, id FROM capability_keys WHERE key IN (${some})`);
}

/** Traits of those that are live, by id. */
export async function traitsOfIds(db: Db, ids: readonly string[]): Promise<Map<string, Traits>> {
  const rows = await queryPages<TraitRow & { id: string }>(
    db,
    ids,
    (some) => `SELECT c.id, ${TRAIT_COLUMNS} FROM capabilities c
      JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id
      WHERE c.id IN (${some}) AND c.is_live = 1 AND l.removed_at IS NULL`,
  );
  return new Map(rows.map((row) => [row.id, traitsOf(row)]));
}

/** As `traitsOfIds`, including listings that were removed or taken down. */
export async function traitsEver(db: Db, ids: readonly string[]): Promise<Map<string, Traits>> {
  const rows = await queryPages<TraitRow & { id: string }>(
    db,
    ids,
    (some) => `SELECT c.id, ${TRAIT_COLUMNS} FROM capabilities c
      JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id WHERE c.id IN (${some})`,
  );
  return new Map(rows.map((row) => [row.id, traitsOf(row)]));
}

/** All links with one of these ids at either end. */
export async function linksAt(db: Db, ids: readonly string[]): Promise<CapabilityLinkRow[]> {
  const found = new Map<string, CapabilityLinkRow>();
  for (const side of ['a_id', 'b_id'])
    for (const row of await queryPages<CapabilityLinkRow>(
      db,
      ids,
      (some) => `SELECT * FROM capability_links WHERE ${side} IN (${some})`,
    ))
      found.set(`${row.a_id}\n${row.b_id}`, row);
  return [...found.values()];
}

export function isLinkChanged(saved: CapabilityLinkRow | undefined, link: CapabilityLinkRow): boolean {
  return saved === undefined || saved.confidence !== link.confidence || saved.evidence !== link.evidence;
}

export async function deleteLinks(db: Db, links: readonly Pick<CapabilityLinkRow, 'a_id' | 'b_id'>[]): Promise<void> {
  for (const some of pages(links, 200))
    await db.query(
      `DELETE FROM capability_links WHERE (a_id, b_id) IN (VALUES ${some.map(() => '(?, ?)').join(',')})`,
      some.flatMap(({ a_id, b_id }) => [a_id, b_id]),
    );
}

export function saveLinks(db: Db, links: readonly CapabilityLinkRow[]): Promise<void> {
  return insert(
    db,
    'INSERT INTO capability_links (a_id, b_id, confidence, evidence)',
    links.map((link) => [link.a_id, link.b_id, link.confidence, link.evidence]),
    'ON CONFLICT (a_id, b_id) DO UPDATE SET confidence = excluded.confidence, evidence = excluded.evidence',
  );
}

/** All judgements with one of these ids at either end. */
export async function judgementsAt(db: Db, ids: readonly string[]): Promise<CapabilityJudgementRow[]> {
  const found = new Map<string, CapabilityJudgementRow>();
  for (const side of ['a_id', 'b_id'])
    for (const row of await queryPages<CapabilityJudgementRow>(
      db,
      ids,
      (some) => `SELECT * FROM capability_judgements WHERE ${side} IN (${some})`,
    ))
      found.set(row.id, row);
  return [...found.values()];
}

/** Judgements are never deleted, so an equal count means that there is no new one. */
export async function countJudgements(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT COUNT(*) AS count FROM capability_judgements');
  return Number(row?.count ?? 0);
}

export function saveJudgements(db: Db, rows: readonly CapabilityJudgementRow[]): Promise<void> {
  return insert(
    db,
    'INSERT INTO capability_judgements (id, a_id, b_id, is_same, reason, actor, at)',
    rows.map((row) => [row.id, row.a_id, row.b_id, row.is_same, row.reason, row.actor, row.at]),
  );
}

/** Rows per page where a whole table is read, so that a large table never has to fit in memory at once. */
const SCAN_PAGE = 1_000;

async function* pagesOf<T>(read: (after: T | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let after: T | null = null; ; ) {
    const page = await read(after);
    if (page.length > 0) yield page;
    after = page.at(-1) ?? null;
    if (page.length < SCAN_PAGE) return;
    // Lets the thread receive a message to stop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export type LiveListing = TraitRow & { seq: number };

export function liveListings(db: Db): AsyncGenerator<LiveListing[]> {
  return pagesOf((after) =>
    db.query(
      `SELECT ${TRAIT_COLUMNS}, l.seq FROM listings l WHERE (l.provider_id, l.external_id) > (?, ?)
       AND l.removed_at IS NULL ORDER BY l.provider_id, l.external_id LIMIT ${SCAN_PAGE}`,
      [after?.provider_id ?? '', after?.external_id ?? ''],
    ),
  );
}

export function allCapabilities(db: Db): AsyncGenerator<CapabilityRow[]> {
  return pagesOf((after) =>
    db.query(`SELECT * FROM capabilities WHERE id > ? ORDER BY id LIMIT ${SCAN_PAGE}`, [after?.id ?? '']),
  );
}

export function allLinks(db: Db): AsyncGenerator<CapabilityLinkRow[]> {
  return pagesOf((after) =>
    db.query(`SELECT * FROM capability_links WHERE (a_id, b_id) > (?, ?) ORDER BY a_id, b_id LIMIT ${SCAN_PAGE}`, [
      after?.a_id ?? '',
      after?.b_id ?? '',
    ]),
  );
}

export function allJudgements(db: Db): Promise<CapabilityJudgementRow[]> {
  return db.query('SELECT * FROM capability_judgements');
}
