import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listing } from '#catalog/items/item.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Adapted, Page, PageRequest, Provider } from '#catalog/sync/provider.ts';
import { defined } from '#core/defined.ts';

/** A provider of no API in particular, for tests of the sync chain: its records and its faults are set as a test goes. */

export interface Fault {
  status?: number;
  headers?: Record<string, string>;
  /** In place of the true body. */
  body?: string;
  /** Breaks the connection in the middle of the body. */
  cut?: boolean;
  /** Never answers. */
  hang?: boolean;
  /** Sends the body byte by byte, so far apart. */
  drip_ms?: number;
  /** Sends so many bytes of white space before the body. */
  padding?: number;
  delay_ms?: number;
  /** Waits for it before it answers. */
  until?: Promise<unknown>;
  /** In place of the true cursor. */
  next?: string | null;
}

interface FaultRequest {
  path: string;
  cursor: string | null;
  since: string | null;
  headers: IncomingHttpHeaders;
  at_ms: number;
}

export interface FaultServer {
  url: string;
  requests: FaultRequest[];
  /** What the provider has: records as `record` makes them, or anything else. */
  records: unknown[];
  page_size: number;
  /** Answers with an ETag, and 304 to those who have it. */
  conditional: boolean;
  fault: (request: FaultRequest, number: number) => Fault | undefined;
  close(): Promise<void>;
}

/** A record of the fake API; `updated` is its time of change. */
export const record = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  name: `name of ${id}`,
  updated: '2026-01-01T00:00:00.000Z',
  ...more,
});

export const records = (count: number, prefix = 'r'): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, n) => record(`${prefix}/${String(n).padStart(5, '0')}`));

export async function startFaultServer(start: unknown[] = [], page_size = 10): Promise<FaultServer> {
  const http = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://fake.invalid');
    const { searchParams: query } = url;
    const request = { path: url.pathname, cursor: query.get('cursor'), since: query.get('since') };
    const seen: FaultRequest = { ...request, headers: incoming.headers, at_ms: Date.now() };
    const fault = server.fault(seen, server.requests.push(seen)) ?? {};
    await answer(server, seen, fault, response);
  });
  const server: FaultServer = {
    url: '',
    requests: [],
    records: start,
    page_size,
    conditional: false,
    fault: () => undefined,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

async function answer(
  server: FaultServer,
  request: FaultRequest,
  fault: Fault,
  response: ServerResponse,
): Promise<unknown> {
  if (fault.hang) return undefined;
  if (fault.delay_ms) await sleep(fault.delay_ms);
  await fault.until;
  const etag = `"${server.records.length}-${JSON.stringify(server.records).length}"`;
  if (server.conditional) response.setHeader('etag', etag);
  if (server.conditional && request.headers['if-none-match'] === etag) return response.writeHead(304).end();
  const body = `${' '.repeat(fault.padding ?? 0)}${fault.body ?? JSON.stringify(pageOf(server, request, fault))}`;
  response.writeHead(fault.status ?? 200, { 'content-type': 'application/json', ...fault.headers });
  if (fault.cut) return response.write(body.slice(0, body.length / 2), () => response.destroy());
  if (fault.drip_ms === undefined) return response.end(body);
  for (const byte of body) {
    if (response.destroyed) return undefined;
    response.write(byte);
    await sleep(fault.drip_ms);
  }
  return response.end();
}

function pageOf(server: FaultServer, { cursor, since }: FaultRequest, fault: Fault) {
  const all = server.records.filter(
    (record) => since === null || String((record as { updated?: unknown }).updated) > since,
  );
  const start = Number(cursor ?? 0);
  const end = start + server.page_size;
  const next = fault.next !== undefined ? fault.next : end < all.length ? String(end) : null;
  return { items: all.slice(start, end), next, total: all.length };
}

/** The door to a fault server, in place of a real provider's. */
export const faultDoor = (id: ProviderId, more: Partial<Provider> = {}): Provider => ({
  id,
  title: id,
  base_url: 'https://fake.invalid',
  key: 'none',
  incremental: false,
  pace: { concurrency: 4, interval_ms: 0, timeout_ms: 2_000, max_bytes: 8 * 1024 * 1024 },
  fetchPage: (request) => fetchPage(id, request),
  ...more,
});

async function fetchPage(
  id: ProviderId,
  { get, base_url, cursor, since, key, validators }: PageRequest,
): Promise<Page> {
  const query = new URLSearchParams({ ...defined({ cursor: cursor ?? undefined, since: since ?? undefined }) });
  const got = await get(`${base_url}/listings?${query}`, { validators, ...defined({ bearer: key ?? undefined }) });
  const empty = { records: [], next: null, total: null, watermark: null };
  if (got.status === 304) return { ...empty, unchanged: true, validators: got.validators };
  const { items, next, total } = JSON.parse(got.text) as { items: unknown[]; next: string | null; total: number };
  const times = items
    .map((item) => (item as { updated?: unknown } | null)?.updated)
    .filter((updated) => typeof updated === 'string');
  const watermark = times.toSorted().at(-1) ?? null;
  return { records: items.map((item) => adapt(id, item)), next, total, watermark, validators: got.validators };
}

function adapt(id: ProviderId, raw: unknown): Adapted {
  const record = raw as {
    id?: unknown;
    name?: unknown;
    deleted?: unknown;
    updated?: string;
    aliases?: string[];
  } | null;
  if (typeof record?.id !== 'string') return { kind: 'rejected', external_id: null, reason: 'id is no string', raw };
  if (record.deleted === true) return { kind: 'deleted', external_id: record.id };
  if (typeof record.name !== 'string')
    return { kind: 'rejected', external_id: record.id, reason: 'name is no string', raw };
  const more = { name: record.name, external_updated_at: record.updated ?? null, aliases: record.aliases ?? [] };
  return { kind: 'listing', listing: listing(id, record.id, more) };
}

export const listing = (provider_id: ProviderId, external_id: string, more: Partial<Listing> = {}): Listing => ({
  name: `name of ${external_id}`,
  description: 'A listing of a test.',
  version: '1.0.0',
  author: 'someone',
  homepage: '',
  downloads: 0,
  stars: 0,
  tags: ['test'],
  source: provider_id,
  listing_type: 'server',
  external_id,
  provider_id,
  external_updated_at: null,
  execution_class: 'mcp',
  license: '',
  repository: '',
  install: null,
  manifest: null,
  reported: { downloads: false, stars: false, updated_at: false },
  aliases: [],
  ...more,
});
