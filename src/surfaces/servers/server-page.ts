import type { Kysely } from 'kysely';
import { fold, words } from '#catalog/changes/fold.ts';
import type { ListingKey } from '#catalog/items/read-items.ts';
import { rowsOf, type ServerLine, serverLines } from '#catalog/items/read-servers.ts';
import type { ListingSearch } from '#catalog/search/listing-search.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { type PageKind, type Position, readCursor, writeCursor } from './cursor.ts';
import { findServer } from './find-server.ts';
import { foundServers, serverSearch } from './found-servers.ts';
import { type Entries, NO_VERSION, serverEntries } from './server-entry.ts';
import type { ServerList } from './shapes.ts';

/**
 * One page of servers. There are three kinds of lists, each with its own order and cursor; a page is shorter if rows
 * are large.
 */

export interface PageDeps extends Entries {
  db: Kysely<Schema>;
  search: Pick<ListingSearch, 'views'>;
}

export interface ServerQuery {
  search: string;
  /** Exact; '' for any. Each server has one version, which is also the latest. */
  version: string;
  since: string | null;
  with_removed: boolean;
  cursor: string | null;
  limit: number;
}

/** An entry that may be on the page: its key, and the cursor of a page that ends with it. */
interface Candidate {
  key: ListingKey;
  position: Position;
}

export async function serverPage(deps: PageDeps, query: ServerQuery): Promise<ServerList> {
  const exact = query.search.includes('/') ? await findServer(deps, query.search) : null;
  if (exact !== null && (exact.removed_at === null || query.with_removed)) return oneServer(exact, deps);
  const { candidates, rest } = await candidatesOf(deps, query);
  return pageOf(deps, candidates, rest);
}

const oneServer = async (row: ListingRow, entries: Entries): Promise<ServerList> => ({
  servers: await serverEntries([row], entries),
  metadata: { count: 1 },
});

function kindOf({ search, since, with_removed, version }: ServerQuery): PageKind {
  if (since !== null) return 'changed';
  return search !== '' && !with_removed && version === '' ? 'found' : 'key';
}

interface Candidates {
  candidates: Candidate[];
  /** Where to continue; null at the end. */
  rest: Position | null;
}

async function candidatesOf(deps: PageDeps, query: ServerQuery): Promise<Candidates> {
  const kind = kindOf(query);
  const after = query.cursor === null ? null : readCursor(query.cursor, kind);
  if (kind !== 'found') return scanned(deps.db, kind, after, query);
  const views = await deps.search.views(serverSearch(query.search));
  const found = foundServers(views, query.search, after?.kind === 'found' ? after : null, query.limit + 1);
  const candidates = found
    .slice(0, query.limit)
    .map(({ item, position }) => ({ key: item, position: { ...position, search: query.search } }));
  return { candidates, rest: found.length > query.limit ? (candidates.at(-1)?.position ?? null) : null };
}

/** Lines per batch, and per request: the page has those that match the filter. */
const LINES = 500;
const MOST_LINES = 5_000;

async function scanned(
  db: PageDeps['db'],
  order: 'key' | 'changed',
  from: Position | null,
  query: ServerQuery,
): Promise<Candidates> {
  const fits = filterOf(query);
  const candidates: Candidate[] = [];
  let after = from;
  const filtered = query.search !== '' || query.version !== '';
  const limit = filtered ? LINES : query.limit + 1;
  for (let read = 0; read < MOST_LINES; read += limit) {
    const { since, with_removed } = query;
    const start = after === null ? null : { changed_at: '', ...after };
    const lines = await serverLines(db, { order, after: start as never, since, with_removed, limit });
    for (const line of lines) {
      if (candidates.length === query.limit) return { candidates, rest: after };
      after = placeOf(order, line);
      if (fits(line)) candidates.push({ key: line, position: after });
    }
    if (lines.length < limit) return { candidates, rest: null };
  }
  return { candidates, rest: after };
}

const placeOf = (kind: 'key' | 'changed', { changed_at, provider_id, external_id }: ServerLine): Position =>
  kind === 'key' ? { kind, provider_id, external_id } : { kind, changed_at, provider_id, external_id };

/** Every word of the search must be part of the name or the id. */
function filterOf({ search, version }: ServerQuery): (line: ServerLine) => boolean {
  const terms = words(search.toWellFormed());
  return (line) => {
    if (version !== '' && (line.version || NO_VERSION) !== version) return false;
    const names = terms.length === 0 ? '' : fold(`${line.name}\n${line.external_id}`);
    return terms.every((term) => names.includes(term));
  };
}

/** Rows contain the provider's record, up to 256 KiB each. */
const ROWS = 25;
const MOST_BYTES = 2 ** 20;

async function pageOf(deps: PageDeps, candidates: Candidate[], rest: Position | null): Promise<ServerList> {
  const servers: ServerList['servers'] = [];
  let bytes = 0;
  for (let at = 0; at < candidates.length; at += ROWS) {
    const some = candidates.slice(at, at + ROWS);
    const rows = await rowsOf(
      deps.db,
      some.map((candidate) => candidate.key),
    );
    for (const entry of await serverEntries(rows, deps)) {
      servers.push(entry);
      bytes += JSON.stringify(entry).length;
    }
    const next = candidates[at + ROWS] === undefined ? rest : (some.at(-1)?.position ?? null);
    if (bytes > MOST_BYTES && next !== null) return ended(servers, next);
  }
  return ended(servers, rest);
}

const ended = (servers: ServerList['servers'], next: Position | null): ServerList => ({
  servers,
  metadata: { ...defined({ nextCursor: next === null ? undefined : writeCursor(next) }), count: servers.length },
});
