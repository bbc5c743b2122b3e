import type { ListingSearch } from '#catalog/search/listing-search.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import { refuse } from '#core/http/read-body.ts';
import { onceAVersion } from '#surfaces/interop/once-a-version.ts';
import type { serversContract } from './contract.ts';
import { searchOf } from './cursor.ts';
import { registryReply } from './registry-reply.ts';
import { type PageDeps, type ServerQuery, serverPage } from './server-page.ts';

/** GET /v0.1/servers */

type List = typeof serversContract.list;
type Deps = PageDeps & {
  clock: Clock;
  catalog: Pick<Catalog, 'isReady' | 'version'>;
  search: Pick<ListingSearch, 'version'>;
};

const MOST_BYTES = 8 * 2 ** 20;
/** Runs can raise a level without a catalog change. */
const LEVELS_STAND_MS = 60_000;

export function listServers(deps: Deps): Handler<List> {
  const { catalog, search, clock } = deps;
  const state = {
    get isReady() {
      return catalog.isReady;
    },
    get version() {
      return `${catalog.version} ${search.version}`;
    },
  };
  const once = onceAVersion(state, MOST_BYTES, { clock, most_ms: LEVELS_STAND_MS });
  return async ({ query }) => {
    const wanted = readQuery(query);
    return once(JSON.stringify(wanted), async () => registryReply(await serverPage(deps, wanted)));
  };
}

type Query = Parameters<Handler<List>>[0]['query'];

/** Empty parameters count as absent. */
function readQuery(query: Query): ServerQuery {
  const cursor = query.cursor === undefined || query.cursor === '' ? null : query.cursor;
  return {
    search: (query.search ?? '').trim() || (cursor === null ? '' : searchOf(cursor)),
    version: query.version === 'latest' ? '' : (query.version ?? ''),
    since: timeOf(query.updated_since ?? ''),
    with_removed: query.include_deleted === true || (query.updated_since ?? '') !== '',
    cursor,
    limit: query.limit,
  };
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function timeOf(text: string): string | null {
  if (text === '') return null;
  // An unencoded plus arrives as a space.
  const ms = RFC_3339.test(text.replace(' ', '+')) ? Date.parse(text.replace(' ', '+')) : Number.NaN;
  if (Number.isNaN(ms))
    refuse([{ pointer: '/updated_since', detail: 'must be a time such as 2026-01-31T00:00:00Z' }], 'query');
  const iso = new Date(ms).toISOString();
  // Outside four-digit years, text does not sort like time.
  return iso.startsWith('+') ? '9999-12-31T23:59:59.999Z' : iso.startsWith('-') ? '' : iso;
}
