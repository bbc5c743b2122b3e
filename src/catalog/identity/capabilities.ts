import type { Kysely } from 'kysely';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { shownOf } from '#catalog/items/version.ts';
import { type ProbedTools, probedToolsOf, type ToolColumns } from '#catalog/probes/probed-tools.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import type { PublishedListingRow, PublishedVersionRow } from '#core/db/schema-publishing.ts';

/**
 * Reads capabilities with their members, and keeps the change sequence that indexes follow. Reads are plain SQL over a
 * connection, so that worker threads need no query builder; the serving thread has `connectionOver` (core/db).
 */

type Db = Pick<Connection, 'query'>;

const LISTING_COLUMNS = [
  ...(['provider_id', 'external_id', 'name', 'description', 'version', 'author', 'homepage', 'downloads'] as const),
  ...(['stars', 'tags', 'listing_type', 'execution_class', 'external_updated_at', 'license', 'repository'] as const),
  ...(['install', 'reported', 'verdicts', 'first_seen_at', 'changed_at'] as const),
] as const;
const LISTING = LISTING_COLUMNS.map((column) => `l.${column}`).join(', ');

type MemberRow = Pick<ListingRow, (typeof LISTING_COLUMNS)[number]>;

/** A listing as a member of a capability. */
export interface Member extends MemberRow {
  /** The listing's own capability id. */
  id: string;
  /** The capability that it belongs to. */
  stands_id: string;
  /** For listings published here: the listing with all its versions. */
  published: Published | null;
  /** For servers: the tools that the last probe found; null if none succeeded. */
  tools: ProbedTools | null;
  /** For servers: why the last probe could not list its tools, or `ok`; null if there was none. */
  probe_reason: string | null;
}

/** A listing published here, with its publisher's name. */
interface PublishedRow extends PublishedListingRow {
  publisher: string;
  publisher_user_id: string | null;
}

export interface Published {
  listing: PublishedRow;
  /** Oldest first. */
  versions: PublishedVersionRow[];
}

const NOTHING_REPORTED = JSON.stringify({ downloads: false, stars: false, updated_at: true });

/** A listing published here in the shape of a provider's listing; null if it has no visible version. */
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

/** The capability that a listing currently belongs to; null if the listing is not linked yet. */
export async function capabilityIdOf(db: Db, provider_id: string, external_id: string): Promise<string | null> {
  return (await capabilityOf(db, provider_id, external_id))?.stands_id ?? null;
}

/** All capabilities that redirect to this one, including itself and removed listings, oldest first. */
export function redirectingTo(db: Db, id: string): Promise<CapabilityRow[]> {
  return db.query<CapabilityRow>('SELECT * FROM capabilities WHERE stands_id = ? ORDER BY id', [id]);
}

/** Ids per statement; every database accepts this many parameters. */
const PAGE = 500;

/** A capability with its members, oldest id first. Without members, it was removed or merged into another. */
export interface ChangedCapability {
  id: string;
  seq: number;
  members: Member[];
}

/**
 * The capabilities that changed after `since`, each once, in pages; with 0, all current ones. Run it in one read transaction, or
 * pages may show different states.
 */
export async function* changedCapabilities(db: Db, since: number): AsyncGenerator<ChangedCapability[]> {
  let after = { seq: since, id: '' };
  for (;;) {
    const rows = since === 0 ? await currentAfter(db, after.id) : await changedAfter(db, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    const current = rows.filter((row) => row.is_live === 1 && row.stands_id === row.id);
    const members = Map.groupBy(await membersOf(db, idsOf(current)), ({ stands_id }) => stands_id);
    yield rows.map(({ id, seq }) => ({ id, seq, members: members.get(id) ?? [] }));
    if (rows.length < PAGE) return;
    after = last;
  }
}

type Changed = Pick<CapabilityRow, 'id' | 'seq' | 'stands_id' | 'is_live'>;

function currentAfter(db: Db, id: string): Promise<Changed[]> {
  return db.query(
    `SELECT id, seq, stands_id, is_live FROM capabilities WHERE id > ? AND stands_id = id AND is_live = 1 ORDER BY id LIMIT ${PAGE}`,
    [id],
  );
}

function changedAfter(db: Db, { seq, id }: { seq: number; id: string }): Promise<Changed[]> {
  return db.query(
    `SELECT id, seq, stands_id, is_live FROM capabilities WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ${PAGE}`,
    [seq, id],
  );
}

/** The members of these capabilities, oldest id first within each. */
export async function membersOf(db: Db, ids: readonly string[]): Promise<Member[]> {
  const found: Member[] = [];
  for (let at = 0; at < ids.length; at += PAGE) found.push(...(await membersOfPage(db, ids.slice(at, at + PAGE))));
  return found;
}

type MemberFields = Omit<Member, 'published' | 'tools'>;

async function membersOfPage(db: Db, ids: readonly string[]): Promise<Member[]> {
  const rows = await db.query<
    Pick<Member, 'id' | 'stands_id'> & Partial<MemberRow> & ToolColumns & { own: string; probe_reason: string | null }
  >(
    `SELECT c.id, c.stands_id, c.provider_id AS own, ${LISTING}, t.tools_hash, t.tools_checked_at, t.tool_findings,
       t.tools_lapsed_at, t.reason AS probe_reason
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
    const tools = probedToolsOf({ tools_hash, tools_checked_at, tool_findings, tools_lapsed_at });
    if (own !== OWN_SOURCE)
      return row.provider_id == null ? [] : [{ ...(row as MemberFields), published: null, tools }];
    const listing = published.get(row.id);
    const shown = listing === undefined ? null : memberRowOf(listing);
    return listing === undefined || shown === null
      ? []
      : [{ ...shown, id: row.id, stands_id: row.stands_id, published: listing, tools: null, probe_reason: null }];
  });
}

/** The listings published here, by id. */
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
    const ofListing = Map.groupBy(versions, ({ listing_id }) => listing_id);
    for (const listing of listings) found.set(listing.id, { listing, versions: ofListing.get(listing.id) ?? [] });
  }
  return found;
}

/** Parameter marks for an `IN` list. */
export function marks(list: readonly unknown[]): string {
  return list.length === 0 ? 'NULL' : list.map(() => '?').join(',');
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** As `lastCapabilitySeq`, with the query builder. */
export async function lastCapabilityChange(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('change_counters')
    .select('value')
    .where('name', '=', 'capabilities')
    .executeTakeFirst();
  return row?.value ?? 0;
}

/** Takes the next number. Its row lock is held until the transaction ends, so numbers are in commit order. */
export async function nextCapabilitySeq(trx: Kysely<Schema>): Promise<number> {
  const { value } = await trx
    .updateTable('change_counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'capabilities')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

/**
 * Makes indexes read these capabilities again. Call it in the transaction that changes what is shown of them (level of proof,
 * moderation, claims). Ids of merged capabilities touch the one that they redirect to.
 */
export async function touchCapabilities(trx: Kysely<Schema>, ids: readonly string[], now_ms: number): Promise<void> {
  if (ids.length === 0) return;
  const seq = await nextCapabilitySeq(trx);
  for (let at = 0; at < ids.length; at += PAGE)
    await trx
      .updateTable('capabilities')
      .set({ seq, updated_at: isoTime(now_ms) })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('capabilities')
          .select('stands_id')
          .where('id', 'in', ids.slice(at, at + PAGE)),
      )
      .execute();
}

/** Touches the capabilities whose listings name a probed server. Call it in the transaction that saves the probe's result. */
export async function touchProbed(trx: Kysely<Schema>, target_id: string, now_ms: number): Promise<void> {
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
