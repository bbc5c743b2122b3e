import type { Connection } from '#core/db/connection.ts';
import type { CapabilityJudgementRow, CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { marks } from './capabilities.ts';
import type { OwnCounter } from './progress.ts';
import { type TraitRow, type Traits, traitsOf } from './traits.ts';

/** What the linker reads and writes of its tables, in pages. Plain SQL, so that a thread can do it. */

export type Db = Pick<Connection, 'query'>;
type Value = string | number | null;

const PAGE = 500;

const pages = <T>(all: readonly T[], size = PAGE): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** The statement asked once for each page of a list, the answers together. `sql` takes the marks of the page. */
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

export type Changed = TraitRow & { seq: number; removed_at: string | null };
export interface Place {
  seq: number;
  provider_id: string;
  external_id: string;
}

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
/** Only of the official registry it says something that no other column has. */
const MANIFEST = "CASE WHEN l.provider_id = 'mcp-registry' THEN l.manifest END AS manifest";
export const TRAIT_COLUMNS = `${TRAITS.map((it) => `l.${it}`).join(', ')}, ${MANIFEST}`;

/** What changed after a place in the sequence, in its order, tombstones included. */
export const changedListings = (db: Db, { seq, provider_id, external_id }: Place, limit: number): Promise<Changed[]> =>
  db.query(
    `SELECT ${TRAIT_COLUMNS}, l.seq, l.removed_at FROM listings l WHERE (l.seq, l.provider_id, l.external_id) > (?, ?, ?)
     ORDER BY l.seq, l.provider_id, l.external_id LIMIT ?`,
    [seq, provider_id, external_id, limit],
  );

export const setCounter = (db: Db, name: OwnCounter, value: number) =>
  db.query('UPDATE change_counters SET value = ? WHERE name = ?', [value, name]);

/** Holds the counter's row to the end of the transaction. */
export async function nextSeq(db: Db): Promise<number> {
  const [row] = await db.query<{ value: number }>(
    "UPDATE change_counters SET value = value + 1 WHERE name = 'capabilities' RETURNING value",
  );
  return (row as { value: number }).value;
}

/** By `provider external_id`. */
export async function capabilitiesOf(
  db: Db,
  listings: readonly Omit<Place, 'seq'>[],
): Promise<Map<string, CapabilityRow>> {
  const found = new Map<string, CapabilityRow>();
  for (const [provider, some] of Map.groupBy(listings, (it) => it.provider_id))
    for (const page of pages(some.map((it) => it.external_id))) {
      const rows = await db.query<CapabilityRow>(
        `SELECT * FROM capabilities WHERE provider_id = ? AND external_id IN (${marks(page)})`,
        [provider, ...page],
      );
      for (const row of rows) found.set(listingKey(row), row);
    }
  return found;
}

export const listingKey = ({ provider_id, external_id }: Omit<Place, 'seq'>): string => `${provider_id} ${external_id}`;

export const capabilitiesById = (db: Db, ids: readonly string[]): Promise<CapabilityRow[]> =>
  queryPages(db, ids, (some) => `SELECT * FROM capabilities WHERE id IN (${some})`);

/** Those that stand, and those whose listing is gone, that point to one of these. */
export const pointingTo = (db: Db, ids: readonly string[]): Promise<CapabilityRow[]> =>
  queryPages(db, ids, (some) => `SELECT * FROM capabilities WHERE stands_id IN (${some})`);

const COLUMNS = [
  ...(['id', 'provider_id', 'external_id', 'listing_type', 'is_live', 'stands_id', 'traits', 'evidence'] as const),
  ...(['confidence', 'seq', 'created_at', 'updated_at'] as const),
] as const;
const OVERWRITTEN = COLUMNS.filter((it) => !['id', 'provider_id', 'external_id', 'created_at'].includes(it));

/** As changed by the transaction of this number. */
export const saveCapabilities = (
  db: Db,
  rows: readonly CapabilityRow[],
  { seq, now }: { seq: number; now: string },
): Promise<void> =>
  insert(
    db,
    `INSERT INTO capabilities (${COLUMNS.join(', ')})`,
    rows.map((row) => ({ ...row, seq, updated_at: now })).map((row) => COLUMNS.map((it) => row[it])),
    `ON CONFLICT (id) DO UPDATE SET ${OVERWRITTEN.map((it) => `${it} = excluded.${it}`).join(', ')}`,
  );

export interface HeldKey {
  id: string;
  key: string;
  shelf: string;
}

export const keysOfIds = (db: Db, ids: readonly string[]): Promise<HeldKey[]> =>
  queryPages(db, ids, (some) => `SELECT id, key, shelf FROM capability_keys WHERE id IN (${some})`);

/** Of these they are all keys. */
export async function replaceKeys(db: Db, keys: readonly HeldKey[], ids: readonly string[]): Promise<void> {
  await queryPages(db, ids, (some) => `DELETE FROM capability_keys WHERE id IN (${some})`);
  await insert(
    db,
    'INSERT INTO capability_keys (key, id, shelf)',
    keys.map(({ key, id, shelf }) => [key, id, shelf]),
  );
}

/** How many of each shelf have a key. */
export const countSharing = (
  db: Db,
  keys: readonly string[],
): Promise<{ key: string; shelf: string; count: number }[]> =>
  queryPages(
    db,
    keys,
    (some) => `SELECT key, shelf, COUNT(*) AS count FROM capability_keys WHERE key IN (${some}) GROUP BY key, shelf`,
  );

export const idsWithKeys = (db: Db, keys: readonly string[]): Promise<{ key: string; id: string }[]> =>
  queryPages(db, keys, (some) => `SELECT key, id FROM capability_keys WHERE key IN (${some})`);

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

/** As `traitsOfIds`, of listings that are gone or taken down too. */
export async function traitsEver(db: Db, ids: readonly string[]): Promise<Map<string, Traits>> {
  const rows = await queryPages<TraitRow & { id: string }>(
    db,
    ids,
    (some) => `SELECT c.id, ${TRAIT_COLUMNS} FROM capabilities c
      JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id WHERE c.id IN (${some})`,
  );
  return new Map(rows.map((row) => [row.id, traitsOf(row)]));
}

/** All links that touch one of these. */
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

export async function deleteLinks(db: Db, links: readonly Pick<CapabilityLinkRow, 'a_id' | 'b_id'>[]): Promise<void> {
  for (const some of pages(links, 200))
    await db.query(
      `DELETE FROM capability_links WHERE (a_id, b_id) IN (VALUES ${some.map(() => '(?, ?)').join(',')})`,
      some.flatMap(({ a_id, b_id }) => [a_id, b_id]),
    );
}

export const saveLinks = (db: Db, links: readonly CapabilityLinkRow[]): Promise<void> =>
  insert(
    db,
    'INSERT INTO capability_links (a_id, b_id, confidence, evidence)',
    links.map((it) => [it.a_id, it.b_id, it.confidence, it.evidence]),
    'ON CONFLICT (a_id, b_id) DO UPDATE SET confidence = excluded.confidence, evidence = excluded.evidence',
  );

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

/** Judgements are never taken away: as many as before are the same. */
export async function countJudgements(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT COUNT(*) AS count FROM capability_judgements');
  return Number(row?.count ?? 0);
}

/** What is published here that changed after this number; at most so many, and all of the last change among them. */
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
  return [...rows.filter((it) => it.seq !== last.seq), ...rest];
}

export const saveJudgements = (db: Db, rows: readonly CapabilityJudgementRow[]): Promise<void> =>
  insert(
    db,
    'INSERT INTO capability_judgements (id, a_id, b_id, is_same, reason, actor, at)',
    rows.map((it) => [it.id, it.a_id, it.b_id, it.is_same, it.reason, it.actor, it.at]),
  );

/** The linker's tables read from end to end, in pages: of a million rows no more than one page is held here. */

const SCAN_PAGE = 1_000;

async function* pagesOf<T>(read: (after: T | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let after: T | null = null; ; ) {
    const page = await read(after);
    if (page.length > 0) yield page;
    after = page.at(-1) ?? null;
    if (page.length < SCAN_PAGE) return;
    // Word to stop comes in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export type LiveListing = TraitRow & { seq: number };

export const liveListings = (db: Db): AsyncGenerator<LiveListing[]> =>
  pagesOf((after) =>
    db.query(
      `SELECT ${TRAIT_COLUMNS}, l.seq FROM listings l WHERE (l.provider_id, l.external_id) > (?, ?)
       AND l.removed_at IS NULL ORDER BY l.provider_id, l.external_id LIMIT ${SCAN_PAGE}`,
      [after?.provider_id ?? '', after?.external_id ?? ''],
    ),
  );

export const allCapabilities = (db: Db): AsyncGenerator<CapabilityRow[]> =>
  pagesOf((after) =>
    db.query(`SELECT * FROM capabilities WHERE id > ? ORDER BY id LIMIT ${SCAN_PAGE}`, [after?.id ?? '']),
  );

export const allLinks = (db: Db): AsyncGenerator<CapabilityLinkRow[]> =>
  pagesOf((after) =>
    db.query(`SELECT * FROM capability_links WHERE (a_id, b_id) > (?, ?) ORDER BY a_id, b_id LIMIT ${SCAN_PAGE}`, [
      after?.a_id ?? '',
      after?.b_id ?? '',
    ]),
  );

export const allJudgements = (db: Db): Promise<CapabilityJudgementRow[]> =>
  db.query('SELECT * FROM capability_judgements');

/** How many listings there are, and how many of them changed after this number. */
export async function countListings(db: Db, seq: number): Promise<{ all: number; changed: number }> {
  const [row] = await db.query<{ all: number; changed: number }>(
    'SELECT (SELECT COUNT(*) FROM listings) AS "all", (SELECT COUNT(*) FROM listings WHERE seq > ?) AS changed',
    [seq],
  );
  return { all: Number(row?.all ?? 0), changed: Number(row?.changed ?? 0) };
}

/** Alone, and not saved yet. */
export const freshRow = (
  id: string,
  { provider_id, external_id, listing_type }: Pick<Changed, 'provider_id' | 'external_id' | 'listing_type'>,
  now: string,
): CapabilityRow => ({
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
});

export const isOther = (was: CapabilityLinkRow | undefined, is: CapabilityLinkRow): boolean =>
  was === undefined || was.confidence !== is.confidence || was.evidence !== is.evidence;
