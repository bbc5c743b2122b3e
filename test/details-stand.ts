import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createDetails } from '#catalog/details/fetch-details.ts';
import type { SkillFiles } from '#catalog/details/gather.ts';
import type { FoundDetails } from '#catalog/items/listing-details.ts';
import { findRow, type ListingKey } from '#catalog/items/read-items.ts';
import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import { politeGet } from '#catalog/sync/provider-client.ts';
import type { SyncConfig } from '#catalog/sync/sync-plan.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import { testBlobs } from './blobs.ts';
import type { TestDatabase } from './databases.ts';
import { outbound } from './sync-stand.ts';

/** Details over a loopback server that is all providers and hosts at once, with time standing still until a test moves it. */

type Answer = string | object | ((request: IncomingMessage, response: ServerResponse) => void);

interface Host {
  url: string;
  /** By path without the query. Texts are sent as text/plain, objects as JSON; both with an ETag. */
  routes: Map<string, Answer>;
  /** `200 /path`, in the order of the responses. */
  log: string[];
}

const hosts: { close(): void }[] = [];

async function startHost(): Promise<Host> {
  const host: Host = { url: '', routes: new Map(), log: [] };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    response.on('close', () => host.log.push(`${response.statusCode} ${path}`));
    const answer = host.routes.get(path);
    if (answer === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    else if (typeof answer === 'function') answer(request, response);
    else send(request, response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  hosts.push(server);
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}

function send(request: IncomingMessage, response: ServerResponse, answer: string | object): void {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const etag = `"${Buffer.from(text).length}-${text.slice(0, 20).replace(/[^\w]/g, '')}"`;
  const type = typeof answer === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { 'content-type': type, etag }).end(text);
}

/** A body of this many zeros in a few kilobytes. */
export const bomb = (bytes: number): Buffer => gzipSync(Buffer.alloc(bytes, 48));

export interface DetailsStand {
  host: Host;
  clock: { ms: number; now(): number };
  details: ReturnType<typeof createDetails>;
  row(key: ListingKey): Promise<ListingRow>;
  /** As opening the listing does, with its result. */
  ask(key: ListingKey): Promise<{ row: ListingRow; found: FoundDetails }>;
  /** One round of the background job of a provider. Returns the pause in milliseconds. */
  round(id: SyncConfig['providers'][number]): Promise<number>;
  blobs: ReturnType<typeof testBlobs>;
}

export async function detailsStand(
  { db, ...database }: TestDatabase,
  given: { details?: Partial<SyncConfig['details']>; skillFiles?: SkillFiles; interval_ms?: number } = {},
): Promise<DetailsStand> {
  const host = await startHost();
  const clock = { ms: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.ms };
  const retry = { retries: 0, base_ms: 1, max_wait_ms: 50, random: () => 1 };
  const blobs = testBlobs();
  const pace = { concurrency: 1, interval_ms: given.interval_ms ?? 0, timeout_ms: 5_000, max_bytes: 1_048_576 };
  const clients = new Map(
    ALL_PROVIDERS.map(({ id, title }) => [
      id,
      politeGet({ fetch: outbound.fetch, user_agent: 'test', clock, retry, provider: { title, pace } }),
    ]),
  );
  const details = createDetails({
    db,
    jobs: jobTable({ db, ...database }, clock),
    clock,
    log: createLog('silent'),
    fetch: outbound.fetch,
    blobs,
    retry,
    providers: ALL_PROVIDERS,
    skillFiles: given.skillFiles,
    client: (provider) => clients.get(provider.id) as never,
    config: {
      providers: ALL_PROVIDERS.map(({ id }) => id),
      urls: Object.fromEntries(ALL_PROVIDERS.map(({ id }) => [id, host.url])),
      keys: {},
      interval_ms: 3_600_000,
      full_interval_ms: 86_400_000,
      public_url: 'http://127.0.0.1:8080',
      version: '0.1.0',
      details: {
        per_minute: 20,
        max_bytes: 1_000_000,
        github_raw_url: `${host.url}/raw`,
        host_interval_ms: 0,
        ...given.details,
      },
    },
  });
  const row = async (key: ListingKey): Promise<ListingRow> => {
    const found = await findRow(db, key);
    if (found === undefined) throw new Error(`no listing ${key.external_id}`);
    return found;
  };
  return {
    host,
    clock,
    details,
    blobs,
    row,
    ask: async (key) => {
      await details.ensure(await row(key), 10_000);
      return { row: await row(key), found: await details.read(await row(key)) };
    },
    round: async (id) => {
      const handler = details.kinds[`registry.details.${id}`]?.handler;
      const done = await handler?.({ signal: new AbortController().signal } as never);
      return (done?.again_at_ms ?? 0) - clock.ms;
    },
  };
}
