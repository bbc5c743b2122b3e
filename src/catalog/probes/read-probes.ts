import { type Kysely, sql } from 'kysely';
import type { ListingKey } from '#catalog/items/read-items.ts';
import type { RemoteTool } from '#catalog/items/runnable.ts';
import { hintsIn } from '#catalog/items/tool-hints.ts';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow, ProbeToolRow } from '#core/db/schema-probes.ts';
import { defined } from '#core/defined.ts';
import { PACKAGES } from './host.ts';

/** SQL that reads the results of probes. */

type Db = Kysely<Schema>;

export const findTarget = (db: Db, id: string): Promise<ProbeTargetRow | undefined> =>
  db.selectFrom('probe_targets').selectAll().where('id', '=', id).executeTakeFirst();

const SHOWN = ['name', 'title', 'description', 'input_schema', 'annotations'] as const;
type Shown = Pick<ProbeToolRow, (typeof SHOWN)[number]>;

const toolOf = ({ name, title, description, input_schema, annotations }: Shown): RemoteTool => ({
  name,
  title,
  description,
  input_schema: input_schema === null ? null : (JSON.parse(input_schema) as Record<string, unknown>),
  ...defined({ annotations: annotations === null ? undefined : hintsIn(JSON.parse(annotations)) }),
});

/** In the server's order. */
export async function toolsOfTarget(db: Db, target_id: string): Promise<RemoteTool[]> {
  const rows = await db
    .selectFrom('probe_tools')
    .select(SHOWN)
    .where('target_id', '=', target_id)
    .orderBy('position')
    .execute();
  return rows.map(toolOf);
}

/** Tools of servers that a current listing names; with a listing, of its server. */
const toolsOfListed = (db: Db, listing: ListingKey | null) =>
  db
    .selectFrom('probe_tools as tool')
    .innerJoin('probe_targets as target', 'target.id', 'tool.target_id')
    .where((eb) => eb.exists(currentTargets(db).where(sql<boolean>`named.target_id = tool.target_id`)))
    .$if(listing !== null, (query) =>
      query.where('tool.target_id', 'in', currentTargets(db).where(isListing(listing))),
    );

const currentTargets = (db: Db) =>
  db
    .selectFrom('probe_listings as named')
    .innerJoin('listings', (join) =>
      join
        .onRef('listings.provider_id', '=', 'named.provider_id')
        .onRef('listings.external_id', '=', 'named.external_id'),
    )
    .where('listings.removed_at', 'is', null)
    .select('named.target_id');

/** The servers that a current listing names. */
export const targetsOf = async (db: Db, listing: ListingKey): Promise<string[]> =>
  (await currentTargets(db).where(isListing(listing)).execute()).map(({ target_id }) => target_id);

const isListing = (listingKey: ListingKey | null) =>
  sql<boolean>`named.provider_id = ${listingKey?.provider_id ?? ''} AND named.external_id = ${listingKey?.external_id ?? ''}`;

export interface FoundTool extends RemoteTool {
  server: Pick<ProbeTargetRow, 'id' | 'host' | 'target' | 'server' | 'protocol_version' | 'reason' | 'last_seen_at'>;
  /** Listings that name the tool's server. */
  listings: ListingKey[];
}

export const countTools = (db: Db, listing: ListingKey | null): Promise<number> => countOf(toolsOfListed(db, listing));

/** One page, sorted by name. */
export async function pageOfTools(
  db: Db,
  listing: ListingKey | null,
  limit: number,
  offset: number,
): Promise<FoundTool[]> {
  if (limit === 0) return [];
  const rows = await shownColumns(toolsOfListed(db, listing))
    .orderBy('tool.name')
    .orderBy('tool.target_id')
    .orderBy('tool.position')
    .limit(limit)
    .offset(offset)
    .execute();
  return foundTools(db, rows);
}

/** These tools in this order, without those that are no longer there. */
export async function toolsNamed(db: Db, named: readonly { target_id: string; name: string }[]): Promise<FoundTool[]> {
  if (named.length === 0) return [];
  const rows = await shownColumns(toolsOfListed(db, null))
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('tool.target_id', 'tool.name'),
        'in',
        named.map(({ target_id, name }) => tuple(target_id, name)),
      ),
    )
    .orderBy('tool.position', 'desc')
    .execute();
  const byKey = new Map((await foundTools(db, rows)).map((found) => [keyOf(found.server.id, found.name), found]));
  return named.flatMap(({ target_id, name }) => byKey.get(keyOf(target_id, name)) ?? []);
}

const keyOf = (target_id: string, name: string): string => `${target_id} ${name}`;

const shownColumns = (query: ReturnType<typeof toolsOfListed>) =>
  query
    .select(['tool.name', 'tool.title', 'tool.description', 'tool.input_schema', 'tool.annotations'])
    .select(['target.id', 'target.host', 'target.target', 'target.server', 'target.protocol_version'])
    .select(['target.reason', 'target.last_seen_at']);

type ToolRow = Awaited<ReturnType<ReturnType<typeof shownColumns>['execute']>>[number];

async function foundTools(db: Db, rows: readonly ToolRow[]): Promise<FoundTool[]> {
  const listings = await listingsOf(db, [...new Set(rows.map(({ id }) => id))]);
  return rows.map((row) => {
    const { id, host, target, server, protocol_version, reason, last_seen_at } = row;
    return {
      ...toolOf(row),
      server: { id, host, target, server, protocol_version, reason, last_seen_at },
      listings: listings.get(id) ?? [],
    };
  });
}

async function listingsOf(db: Db, ids: readonly string[]): Promise<Map<string, ListingKey[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('probe_listings as named')
    .innerJoin('listings', (join) =>
      join
        .onRef('listings.provider_id', '=', 'named.provider_id')
        .onRef('listings.external_id', '=', 'named.external_id'),
    )
    .select(['named.target_id', 'named.provider_id', 'named.external_id'])
    .where('named.target_id', 'in', ids)
    .where('listings.removed_at', 'is', null)
    .orderBy('named.provider_id')
    .orderBy('named.external_id')
    .execute();
  const found = new Map<string, ListingKey[]>();
  for (const { target_id, ...key } of rows) {
    const known = found.get(target_id) ?? [];
    if (known.length < MOST_LISTINGS) found.set(target_id, [...known, key]);
  }
  return found;
}

/** Listings per server; a few are enough to find it. */
const MOST_LISTINGS = 10;

export interface ProbeCounts {
  /** Servers by reason; `unknown` if not probed yet. */
  by_reason: Map<string, number>;
  hosts: number;
  hosts_waiting: number;
  /** Packages that were never probed. */
  packages_waiting: number;
  tools: number;
}

export async function countProbes(db: Db, now: string): Promise<ProbeCounts> {
  const count = sql<number>`COUNT(*)`.as('count');
  const [reasons, hosts, waiting, packages, tools] = await Promise.all([
    db.selectFrom('probe_targets').select(['reason', count]).groupBy('reason').execute(),
    db
      .selectFrom('probe_targets')
      .select(sql<number>`COUNT(DISTINCT host)`.as('count'))
      .where('host', 'not like', `${PACKAGES}%`)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('probe_hosts')
      .select(count)
      .where('next_visit_at', '>', now)
      .where('host', 'not like', `${PACKAGES}%`)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('probe_targets')
      .select(count)
      .where('host', 'like', `${PACKAGES}%`)
      .where('last_probed_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db.selectFrom('probe_tools').select(count).executeTakeFirstOrThrow(),
  ]);
  return {
    by_reason: new Map(reasons.map((reason) => [reason.reason ?? 'unknown', Number(reason.count)])),
    hosts: Number(hosts.count),
    hosts_waiting: Number(waiting.count),
    packages_waiting: Number(packages.count),
    tools: Number(tools.count),
  };
}
