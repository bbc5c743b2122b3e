import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { createUser, type User } from '#accounts/users/users.ts';
import { asListed } from '#catalog/details/fetch-details.ts';
import type { ConnectionsOptions } from '#connections/connections/base.ts';
import { type Connections, openConnections } from '#connections/connections/open-connections.ts';
import { CONNECTIONS_SETTINGS } from '#connections/connections/settings.ts';
import { connectionsWing } from '#connections/contract.ts';
import { connectionsWingRoutes } from '#connections/routes.ts';
import { isoTime } from '#core/clock/clock.ts';
import { readConfig } from '#core/config/config.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Database } from '#core/db/open.ts';
import { bindAll } from '#core/http/bind.ts';
import { inProcess } from '#core/http/in-process.ts';
import { createServer } from '#core/http/server.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import { insertSpans } from '#core/traces/spans.ts';
import { startTracing, type Tracing } from '#core/traces/tracing.ts';
import { openCallRecords } from '#runtime/receipts/call-records.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { openReceipts, type Receipts } from '#runtime/receipts/receipts.ts';
import { openGates } from './open-gates.ts';
import { NO_PACKAGES } from './packages/no-packages.ts';
import { ROOMY } from './storage.ts';

/** Connections over HTTP, as one process has them; a second stand on the same database is another process. */

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  body: any;
  text: string;
}

export interface SessionsStand extends AsyncDisposable {
  connections: Connections;
  tracing: Tracing;
  clock: { ms: number; now(): number };
  registry: Registry;
  receipts: Receipts;
  newUser(): Promise<User>;
  ask(as: User, method: string, path: string, body?: unknown, more?: AskMore): Promise<Answer>;
  /** Makes a connection to this address. Answers its path. */
  connect(as: User, url: string, more?: object): Promise<string>;
  /** A real port for as long as the stand is open. */
  listen(): Promise<string>;
}

interface AskMore {
  headers?: Record<string, string>;
}

interface StandOptions {
  calls_per_day?: number;
  storage?: StorageGate;
  config?: Record<string, string>;
  /** 32 bytes in hex, for stands that share a database. */
  secret?: string;
  allow_loopback?: boolean;
  fetch?: ConnectionsOptions['fetch'];
  packaged?: PackagedServers;
}

export async function connectionsStand(database: Database, options: StandOptions = {}): Promise<SessionsStand> {
  const { db } = database;
  const log = createLog('silent');
  const clock = { ms: 0, now: () => Date.now() + clock.ms };
  const keys = keyProvider([createSecretKey(options.secret ?? randomBytes(32).toString('hex'), 'hex')]);
  const tracing = startTracing({ save: (spans) => insertSpans(db, spans), on_error: () => {} });
  const outbound = createOutbound({ allow_loopback: options.allow_loopback ?? true, user_agent: 'test' });
  const { connections: config } = readConfig({ connections: CONNECTIONS_SETTINGS }, options.config ?? {});
  const registry = new Registry();
  const call_records = openCallRecords({ database, clock, keys, log, calls_per_day: options.calls_per_day ?? 10_000 });
  const receipt_keys = openReceiptKeys({ db, keys, clock });
  const receipts = openReceipts({ db, clock, keys, receipt_keys, origin: 'stand/receipts' });
  const connections = openConnections({
    metrics: { registry },
    storage: options.storage ?? ROOMY,
    ensureDetail: asListed,
    database,
    clock,
    log,
    keys,
    tracing,
    call_records,
    config,
    jobs: jobTable(database, clock),
    fetch: options.fetch ?? outbound.fetch,
    packaged: options.packaged ?? NO_PACKAGES,
    base_url: 'http://127.0.0.1:8080',
    production: false,
    pageUser: async () => null,
  });
  const operations = bindAll(connectionsWing, connectionsWingRoutes(connections.deps));
  const gates = openGates(database);
  const server = createServer({ log, operations, gates, explain: explainDatabaseFailure, onAnswer: () => {} });

  const ask: SessionsStand['ask'] = async (as, method, path, body, { headers = {} } = {}) => {
    const asked = { authorization: `Bearer ${as.id}`, 'content-type': 'application/json', ...headers };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await inProcess(server.fastify, path, { method, headers: asked, ...sent });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, body: isJson ? JSON.parse(text) : {}, text };
  };
  return {
    connections,
    tracing,
    clock,
    ask,
    registry,
    receipts,
    newUser: () => createUser(db, 'Ada', isoTime(clock.now())),
    connect: async (as, url, more = {}) => {
      const made = await ask(as, 'POST', '/api/sessions/connections', { url, ...more });
      if (made.status !== 201) throw new Error(`not connected: ${made.text}`);
      return `/api/sessions/connections/${made.body.id}`;
    },
    listen: async () => {
      const { port } = await server.listen('127.0.0.1', 0);
      return `http://127.0.0.1:${port}`;
    },
    [Symbol.asyncDispose]: async () => {
      await connections.close();
      await call_records.close();
      await server.close(0);
      await tracing.close();
      await outbound.close();
    },
  };
}

/** What speaks no MCP, or speaks it badly, on loopback. */
export async function startOdd(
  answer: Parameters<typeof createHttpServer>[1],
): Promise<{ url: string; close(): Promise<void> }> {
  const http = createHttpServer(answer as never);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
