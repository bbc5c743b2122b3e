import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { seenToolsOf, type ToolColumns } from '#catalog/probes/seen-tools.ts';
import type { Connection } from '#core/db/connection.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { LISTING_COLUMNS, type Member, type MemberRow, memberRowOf, type Published } from './member.ts';

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
const LISTING = LISTING_COLUMNS.map((it) => `l.${it}`).join(', ');

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
