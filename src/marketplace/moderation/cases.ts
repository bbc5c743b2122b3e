import { type Kysely, type RawBuilder, sql } from 'kysely';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { FoundPage, PagePlace } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import { type CASE_STATUSES, RANK, type ReasonKind, URGENCIES } from './kinds.ts';

/** The queue of operators: one case per capability, the most urgent first. */

type Db = Kysely<Schema>;
type CaseStatus = (typeof CASE_STATUSES)[number];

interface CaseRow {
  /** The current capability. */
  capability_id: string;
  name: string;
  listing_type: string;
  provider: string;
  external_id: string;
  urgency: (typeof URGENCIES)[number];
  /** Most serious first. */
  kinds: ReasonKind[];
  count: number;
  oldest_at: string;
  newest_at: string;
}

/** What a case of each status consists of. */
const ENTRIES: Record<CaseStatus, RawBuilder<unknown>> = {
  open: sql`SELECT capability_id, kind, created_at AS at FROM capability_reports WHERE status = 'open'`,
  appealed: sql`SELECT a.capability_id, COALESCE(m.kind, 'suspicious') AS kind, a.created_at AS at FROM capability_appeals a
    LEFT JOIN capability_measures m ON m.measure_id = a.measure_id AND m.capability_id = a.capability_id
    WHERE a.status = 'open'`,
  acted: sql`SELECT capability_id, kind, at FROM capability_measures`,
  closed: sql`SELECT capability_id, kind, closed_at AS at FROM capability_reports WHERE status <> 'open'`,
};

/** Urgent cases wait first; what is decided is read from the newest. */
const ORDER: Record<CaseStatus, RawBuilder<unknown>> = {
  open: sql`urgency DESC, oldest_at, id`,
  appealed: sql`oldest_at, id`,
  acted: sql`newest_at DESC, id`,
  closed: sql`newest_at DESC, id`,
};

const rankOf = sql.join(
  Object.entries(RANK).map(([kind, rank]) => sql`WHEN ${sql.lit(kind)} THEN ${sql.lit(rank)}`),
  sql` `,
);

/** From so many reports on, what is said to be broken is no longer of low urgency. */
const MANY = 3;

interface Grouped {
  id: string;
  urgency: number;
  many: number | string;
  oldest_at: string;
  newest_at: string;
}

export async function listCases(db: Db, status: CaseStatus, { limit, offset }: PagePlace): Promise<FoundPage<CaseRow>> {
  const entries = sql`(${ENTRIES[status]}) e JOIN capabilities c ON c.id = e.capability_id`;
  const worst = sql`MAX(CASE e.kind ${rankOf} ELSE 1 END)`;
  const { rows } =
    await sql<Grouped>`SELECT c.stands_id AS id, COUNT(*) AS many, MIN(e.at) AS oldest_at, MAX(e.at) AS newest_at,
    CASE WHEN COUNT(*) >= ${sql.lit(MANY)} AND ${worst} = 1 THEN 2 ELSE ${worst} END AS urgency
    FROM ${entries} GROUP BY c.stands_id ORDER BY ${ORDER[status]} LIMIT ${limit} OFFSET ${offset}`.execute(db);
  const total = await sql<{
    many: number | string;
  }>`SELECT COUNT(DISTINCT c.stands_id) AS many FROM ${entries}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const [names, kinds] = [await namesOf(db, ids), await kindsOf(db, entries, ids)];
  const items = rows.map(
    ({ id, urgency, many, oldest_at, newest_at }): CaseRow => ({
      capability_id: id,
      ...(names.get(id) ?? UNNAMED),
      urgency: URGENCIES[Number(urgency) - 1] ?? 'low',
      kinds: kinds.get(id) ?? [],
      count: Number(many),
      oldest_at,
      newest_at,
    }),
  );
  return { items, total_count: Number(total.rows[0]?.many ?? 0) };
}

type Named = Pick<CaseRow, 'name' | 'listing_type' | 'provider' | 'external_id'>;

const UNNAMED: Named = { name: '', listing_type: '', provider: '', external_id: '' };

/** Also of listings that were removed or taken down. */
async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, Named>> {
  const rows = await db
    .selectFrom('capabilities as c')
    .leftJoin('listings as l', (join) =>
      join.onRef('l.provider_id', '=', 'c.provider_id').onRef('l.external_id', '=', 'c.external_id'),
    )
    .leftJoin('published_listings as o', (join) =>
      join.onRef('o.id', '=', 'c.external_id').on('c.provider_id', '=', OWN_SOURCE),
    )
    .leftJoin('publishers as p', 'p.id', 'o.publisher_id')
    .select([
      'c.id',
      'c.provider_id',
      'c.external_id',
      'c.listing_type',
      'l.name',
      'o.name as own',
      'p.name as publisher',
    ])
    .where('c.id', 'in', [...ids, ''])
    .execute();
  return new Map(
    rows.map(({ id, provider_id, external_id, listing_type, name, own, publisher }) => [
      id,
      {
        name: own === null ? (name ?? external_id) : `${publisher}/${own}`,
        listing_type,
        provider: provider_id,
        external_id,
      },
    ]),
  );
}

async function kindsOf(
  db: Db,
  entries: RawBuilder<unknown>,
  ids: readonly string[],
): Promise<Map<string, ReasonKind[]>> {
  const of = sql.join([...ids, ''].map((id) => sql`${id}`));
  const { rows } = await sql<{ id: string; kind: ReasonKind }>`SELECT DISTINCT c.stands_id AS id, e.kind FROM ${entries}
    WHERE c.stands_id IN (${of})`.execute(db);
  const grouped = Map.groupBy(rows, ({ id }) => id);
  const worstFirst = (kinds: ReasonKind[]): ReasonKind[] =>
    kinds.toSorted((a, b) => (RANK[b] ?? 1) - (RANK[a] ?? 1) || (a < b ? -1 : 1));
  return new Map([...grouped].map(([id, found]) => [id, worstFirst(found.map(({ kind }) => kind))]));
}
