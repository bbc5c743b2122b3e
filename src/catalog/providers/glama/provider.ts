import { member } from '#catalog/sync/adapt-record.ts';
import {
  type Detail,
  type DetailRequest,
  MAX_DETAIL_BYTES,
  type Page,
  type PageRequest,
  type Provider,
} from '#catalog/sync/provider.ts';
import { readPage } from '#catalog/sync/read-page.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';
import { defined } from '#core/defined.ts';
import { adaptConnector, adaptServer, CONNECTORS_PREFIX, environmentOf } from './adapt.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { ConnectorsPage, ServerRecord, ServersPage } from './wire.ts';

const PAGE_SIZE = '100';
const CONNECTORS: Cursor = { collection: 'connectors', after: null };
const END: Page = { records: [], next: null, total: null, watermark: null };

/** Glama: servers, then connectors, both by cursor. It reports no times and cannot list changes only. */
export const glama: Provider = {
  id: 'glama',
  title: 'Glama',
  base_url: 'https://glama.ai/api/mcp',
  key: 'optional',
  incremental: false,
  walked: true,
  // The rate limit is not published. A full run has about 1,200 pages, so it takes ten minutes.
  pace: { concurrency: 1, interval_ms: 500, timeout_ms: 30_000, max_bytes: 16 * 1024 * 1024 },
  fetchPage,
  // Tools, license and environment of lists are often missing or older.
  detail: { listing_types: ['server'], fetch: fetchDetail },
};

async function fetchPage(request: PageRequest): Promise<Page> {
  const cursor = parseCursor(request.cursor);
  return cursor.collection === 'servers' ? fetchServers(request, cursor) : fetchConnectors(request, cursor);
}

async function fetchServers(request: PageRequest, cursor: Cursor): Promise<Page> {
  const { servers, pageInfo } = readPage('glama', ServersPage, await fetchText(request, '/v1/servers', cursor));
  const next = nextOf('servers', pageInfo) ?? CONNECTORS;
  return { records: servers.map(adaptServer), next: JSON.stringify(next), total: null, watermark: null };
}

async function fetchConnectors(request: PageRequest, cursor: Cursor): Promise<Page> {
  const body = await fetchText(request, '/v1/connectors', cursor).catch((error: unknown) => {
    // Older deployments have no connectors; the servers are kept.
    if (cursor.after === null && upstreamStatus(error) === 404) return null;
    throw error;
  });
  if (body === null) return END;
  const { connectors, pageInfo } = readPage('glama', ConnectorsPage, body);
  const next = nextOf('connectors', pageInfo);
  return { ...END, records: connectors.map(adaptConnector), next: next === null ? null : JSON.stringify(next) };
}

const nextOf = (
  collection: Cursor['collection'],
  info: { endCursor?: string | null; hasNextPage: boolean },
): Cursor | null => (info.hasNextPage && info.endCursor ? { collection, after: info.endCursor } : null);

async function fetchText(request: PageRequest, path: string, { after }: Cursor): Promise<string> {
  const query = new URLSearchParams({ first: PAGE_SIZE, ...defined({ after: after ?? undefined }) });
  const answer = await request.get(`${request.base_url}${path}?${query}`, {
    accept: 'application/json',
    ...defined({ bearer: request.key ?? undefined }),
  });
  return answer.text;
}

/** `GET /v1/servers/{namespace}/{slug}`, or by the short id of servers without them. Connectors have no detail. */
async function fetchDetail({ get, base_url, key, listing, validators }: DetailRequest): Promise<Detail> {
  const { external_id } = listing;
  if (external_id.startsWith(CONNECTORS_PREFIX)) return { text: '', validators: {}, unchanged: false };
  const path = external_id.split('/').map(encodeURIComponent).join('/');
  const answer = await get(`${base_url}/v1/servers/${path}`, {
    accept: 'application/json',
    validators,
    max_bytes: MAX_DETAIL_BYTES,
    ...defined({ bearer: key ?? undefined }),
  });
  if (answer.status === 304) return { text: '', validators: answer.validators, unchanged: true };
  const server = readPage('glama', ServerRecord, answer.text);
  return {
    install: environmentOf(server.environmentVariablesJsonSchema),
    license: server.spdxLicense?.name,
    facts: { tools: member(server, 'tools') },
    text: answer.text,
    validators: answer.validators,
    unchanged: false,
  };
}
