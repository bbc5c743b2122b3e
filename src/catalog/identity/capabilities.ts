import type { Kysely } from 'kysely';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { shownOf } from '#catalog/items/version.ts';
import { type SeenTools, seenToolsOf, type ToolColumns } from '#catalog/probes/seen-tools.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import type { PublishedListingRow, PublishedVersionRow } from '#core/db/schema-publishing.ts';

/**
 * Reads capabilities and what they are made of. Plain SQL over a connection, so that a thread can read without the query
 * builder; the serving thread has `connectionOver` (core/db/connection-over.ts).
 */

type Db = Pick<Connection, 'query'>;

/** A capability that stands, with the listings that make it, oldest id first; none where it is gone or merged away. */
export interface ChangedCapability {
  id: string;
  seq: number;
  members: Member[];
}

type MemberFields = Omit<Member, 'published' | 'tools'>;

const PAGE = 500;

/** The newest change of any. */
export async function lastCapabilitySeq(db: Db): Promise<number> {
  const [row] = await db.query<{ value: number }>("SELECT value FROM change_counters WHERE name = 'capabilities'");
  return row?.value ?? 0;
}

export async function findCapability(db: Db, id: string): Promise<CapabilityRow | undefined> {
  return (await db.query<CapabilityRow>('SELECT * FROM capabilities WHERE id = ?', [id]))[0];
}

export async function capabilityOf(db: Db, provider_id: string, external_id: string): Promise<CapabilityRow | null> {
  const rows = await db.query<CapabilityRow>('SELECT * FROM capabilities WHERE provider_id = ? AND external_id = ?', [
    provider_id,
    external_id,
  ]);
  return rows[0] ?? null;
}

/** The capability that a listing belongs to now; null while nobody has looked at it. */
export const capabilityIdOf = async (db: Db, provider_id: string, external_id: string): Promise<string | null> =>
  (await capabilityOf(db, provider_id, external_id))?.stands_id ?? null;

/** Everything changed after `since`, each capability once, in pages. With 0, what stands. Run it at one moment. */
export async function* changedCapabilities(db: Db, since: number): AsyncGenerator<ChangedCapability[]> {
  let after = { seq: since, id: '' };
  for (;;) {
    const rows = since === 0 ? await standingAfter(db, after.id) : await changedAfter(db, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    const standing = rows.filter((it) => it.is_live === 1 && it.stands_id === it.id);
    const members = Map.groupBy(await membersOf(db, idsOf(standing)), (it) => it.stands_id);
    yield rows.map(({ id, seq }) => ({ id, seq, members: members.get(id) ?? [] }));
    if (rows.length < PAGE) return;
    after = last;
  }
}

type Changed = Pick<CapabilityRow, 'id' | 'seq' | 'stands_id' | 'is_live'>;

const standingAfter = (db: Db, id: string): Promise<Changed[]> =>
  db.query(
    `SELECT id, seq, stands_id, is_live FROM capabilities WHERE id > ? AND stands_id = id AND is_live = 1 ORDER BY id LIMIT ${PAGE}`,
    [id],
  );

const changedAfter = (db: Db, { seq, id }: { seq: number; id: string }): Promise<Changed[]> =>
  db.query(
    `SELECT id, seq, stands_id, is_live FROM capabilities WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ${PAGE}`,
    [seq, id],
  );

/** The listings that make these capabilities, oldest id first within each. */
export async function membersOf(db: Db, ids: readonly string[]): Promise<Member[]> {
  const found: Member[] = [];
  for (let at = 0; at < ids.length; at += PAGE) found.push(...(await membersOfPage(db, ids.slice(at, at + PAGE))));
  return found;
}

async function membersOfPage(db: Db, ids: readonly string[]): Promise<Member[]> {
  const rows = await db.query<Pick<Member, 'id' | 'stands_id'> & Partial<MemberRow> & ToolColumns & { own: string }>(
    `SELECT c.id, c.stands_id, c.provider_id AS own, ${LISTING}, t.tools_hash, t.tools_checked_at, t.tool_findings,
       t.tools_lapsed_at
     FROM capabilities c
     LEFT JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id
     LEFT JOIN probe_listings p ON p.provider_id = c.provider_id AND p.external_id = c.external_id
     LEFT JOIN probe_targets t ON t.id = p.target_id
     WHERE c.stands_id IN (${marks(ids)}) AND c.is_live = 1 ORDER BY c.stands_id, c.id`,
    ids,
  );
  const published = await publishedOf(
    db,
    rows.filter(({ own }) => own === OWN_SOURCE).map(({ id }) => id),
  );
  return rows.flatMap(({ own, tools_hash, tools_checked_at, tool_findings, tools_lapsed_at, ...row }): Member[] => {
    const tools = seenToolsOf({ tools_hash, tools_checked_at, tool_findings, tools_lapsed_at });
    if (own !== OWN_SOURCE)
      return row.provider_id == null ? [] : [{ ...(row as MemberFields), published: null, tools }];
    const it = published.get(row.id);
    const shown = it === undefined ? null : memberRowOf(it);
    return it === undefined || shown === null
      ? []
      : [{ ...shown, id: row.id, stands_id: row.stands_id, published: it, tools: null }];
  });
}

/** What is published here, by id. */
export async function publishedOf(db: Db, ids: readonly string[]): Promise<Map<string, Published>> {
  const found = new Map<string, Published>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE);
    const listings = await db.query<Published['listing']>(
      `SELECT p.*, w.name AS publisher, w.user_id AS publisher_user_id FROM published_listings p
       JOIN publishers w ON w.id = p.publisher_id WHERE p.id IN (${marks(some)})`,
      some,
    );
    const versions = await db.query<Published['versions'][number]>(
      `SELECT * FROM published_versions WHERE listing_id IN (${marks(some)}) ORDER BY created_at, version`,
      some,
    );
    const of = Map.groupBy(versions, (it) => it.listing_id);
    for (const listing of listings) found.set(listing.id, { listing, versions: of.get(listing.id) ?? [] });
  }
  return found;
}

export const marks = (list: readonly unknown[]): string => (list.length === 0 ? 'NULL' : list.map(() => '?').join(','));
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** All that are merged into a capability, itself among them, gone ones too, the oldest first. */
export const joinedTo = (db: Db, id: string): Promise<CapabilityRow[]> =>
  db.query<CapabilityRow>('SELECT * FROM capabilities WHERE stands_id = ? ORDER BY id', [id]);

/** A listing as one of those that make a capability. Pure, and light enough for a thread of its own. */

export const LISTING_COLUMNS = [
  ...(['provider_id', 'external_id', 'name', 'description', 'version', 'author', 'homepage', 'downloads'] as const),
  ...(['stars', 'tags', 'listing_type', 'execution_class', 'external_updated_at', 'license', 'repository'] as const),
  ...(['install', 'reported', 'verdicts', 'first_seen_at', 'changed_at'] as const),
] as const;

const LISTING = LISTING_COLUMNS.map((it) => `l.${it}`).join(', ');

export type MemberRow = Pick<ListingRow, (typeof LISTING_COLUMNS)[number]>;

export interface Member extends MemberRow {
  /** Its own capability's id. */
  id: string;
  /** The capability it belongs to. */
  stands_id: string;
  /** Of what is published here: the listing with all its versions. */
  published: Published | null;
  /** Of a server: what it showed when it was visited; null where nobody has seen any tools. */
  tools: SeenTools | null;
}

/** What is published here, with its publisher's name. */
export interface PublishedRow extends PublishedListingRow {
  publisher: string;
  publisher_user_id: string | null;
}

export interface Published {
  listing: PublishedRow;
  /** Oldest first. */
  versions: PublishedVersionRow[];
}

const NOTHING_REPORTED = JSON.stringify({ downloads: false, stars: false, updated_at: true });

/** What is published here in the form of a provider's listing; null where no version of it is shown. */
export function memberRowOf({ listing, versions }: Published): MemberRow | null {
  const shown = listing.status === 'live' && listing.taken_down === null ? shownOf(versions) : null;
  if (shown === null) return null;
  return {
    provider_id: OWN_SOURCE,
    external_id: listing.id,
    name: `${listing.publisher}/${listing.name}`,
    description: shown.description,
    version: shown.version,
    author: listing.publisher,
    homepage: '',
    downloads: 0,
    stars: 0,
    tags: shown.tags,
    listing_type: listing.listing_type,
    execution_class: shown.execution_class,
    external_updated_at: listing.updated_at,
    license: shown.license,
    repository: '',
    install: null,
    reported: NOTHING_REPORTED,
    verdicts: null,
    first_seen_at: listing.created_at,
    changed_at: listing.updated_at,
  };
}

/** The change sequence of capabilities: one number per transaction that changed anything shown of one, in commit order. */

/** Takes the next number; its row lock is held until the transaction ends, which makes sequence order commit order. */
export const nextCapabilitySeq = async (trx: Kysely<Schema>): Promise<number> => {
  const { value } = await trx
    .updateTable('change_counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'capabilities')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
};

/** So many at once that no engine refuses the statement for its parameters. */
const MOST = 500;

/**
 * To be called in the transaction that changes what is shown of these capabilities (proof, standing, claims, …): whoever
 * follows the sequence then reads them anew. Ids may be of merged ones; what stands for them is touched.
 */
export async function touchCapabilities(trx: Kysely<Schema>, ids: readonly string[], now_ms: number): Promise<void> {
  if (ids.length === 0) return;
  const seq = await nextCapabilitySeq(trx);
  for (let at = 0; at < ids.length; at += MOST)
    await trx
      .updateTable('capabilities')
      .set({ seq, updated_at: isoTime(now_ms) })
      .where('id', 'in', (of) =>
        of
          .selectFrom('capabilities')
          .select('stands_id')
          .where('id', 'in', ids.slice(at, at + MOST)),
      )
      .execute();
}

/** The newest change. */
export const lastCapabilityChange = async (db: Kysely<Schema>): Promise<number> => {
  const row = await db
    .selectFrom('change_counters')
    .select('value')
    .where('name', '=', 'capabilities')
    .executeTakeFirst();
  return row?.value ?? 0;
};

/** Has the capabilities read again whose listings name a server that was visited, in the transaction that keeps what was seen. */
export async function touchVisited(trx: Kysely<Schema>, target_id: string, now_ms: number): Promise<void> {
  const rows = await trx
    .selectFrom('capabilities as c')
    .innerJoin('probe_listings as l', (join) =>
      join.onRef('l.provider_id', '=', 'c.provider_id').onRef('l.external_id', '=', 'c.external_id'),
    )
    .select('c.id')
    .where('l.target_id', '=', target_id)
    .execute();
  await touchCapabilities(
    trx,
    rows.map(({ id }) => id),
    now_ms,
  );
}
