import { recordAudit, SERVICE_ITSELF } from '#core/audit/audit.ts';
import { auditKinds, scheduleAudit } from '#core/audit/jobs.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import { createHosts } from '#core/http/hosts.ts';
import { type InProcessInit, inProcess } from '#core/http/in-process.ts';
import { createServer, type HttpServer } from '#core/http/server.ts';
import { boundRowsKinds, scheduleBoundRows } from '#core/jobs/bound-rows.ts';
import { expireRowsKinds, scheduleExpireRows } from '#core/jobs/expire-rows.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import { startWorker, type Worker } from '#core/jobs/worker.ts';
import { createLimiter } from '#core/limits/limiter.ts';
import { createStreamLimits } from '#core/limits/stream-limits.ts';
import type { Log } from '#core/log.ts';
import { createReplays } from '#core/replays/replays.ts';
import { SERVICE } from '#core/service.ts';
import { scheduleStorageCount, storageCountKinds } from '#core/storage/count.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import type { Offer } from '#core/tools/offer.ts';
import { EXPIRE_SPANS, expireSpansKind } from '#core/traces/expire-spans.ts';
import type { RuntimeDeps } from '#runtime/packaged/open-runtime.ts';
import { receiptKinds, scheduleReceipts } from '#runtime/receipts/jobs.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import { CLOSE_LOST, closeLostKind } from '#surfaces/agent/close-lost.ts';
import { EXPIRE_CONVERSATIONS, expireConversationsKind } from '#surfaces/conversations/expire-conversations.ts';
import { localUrl } from './addresses.ts';
import { openAsIs, openMigrated } from './database.ts';
import { loadOffer } from './load-offer.ts';
import { allOperations, healthOperations } from './operations.ts';
import { openParts, type Parts } from './parts.ts';
import { offerWithFeedback, withFeedback } from './search-feedback.ts';
import { type Config, hostNames } from './settings.ts';
import { openPages } from './web.ts';

/** The running service: its parts (parts.ts), their operations (operations.ts) behind a server, and the worker. */

export interface AppOptions {
  config: Config;
  log: Log;
  clock?: Clock;
  /** `serve` answers requests and runs jobs; `work` only runs jobs; `quiet` only answers requests. */
  role?: 'serve' | 'work' | 'quiet';
  /** Replaces what the wings offer to models, for tests of the protocol. */
  offer?: Offer;
  /** Names of the configured settings, for the audit log; if absent, the start is not recorded. */
  given_settings?: readonly string[];
  /** The serving threads of this process if there are several (serving.ts): this is one of them. */
  threads?: Threads;
  /** The first-party skills if already loaded, so that several apps of one process load them once. */
  skills?: SkillStore;
  /** Boxes for installations in place of the runtime's own, for tests with a registry on loopback. */
  install?: RuntimeDeps['install'];
}

export interface App extends Pick<Parts, 'database' | 'catalog' | 'sync' | 'receipts' | 'sandbox'> {
  /** Listens on the configured port unless one is given. */
  listen(port?: number): Promise<{ url: string; port: number }>;
  /** Serves health and metrics on a separate port; null if none is configured. */
  listenForWatchers(): Promise<{ url: string } | null>;
  /** Handles a request in process, without a socket. */
  fetch(path: string, init?: InProcessInit): Promise<Response>;
  /** Finishes requests and jobs, and aborts the rest after `grace_ms`. Dependencies stay open. */
  drain(graceMs?: number): Promise<void>;
  /** Drains, and closes everything. */
  close(graceMs?: number): Promise<void>;
}

export async function createApp({
  role = 'serve',
  offer,
  given_settings,
  threads = ALONE,
  ...options
}: AppOptions): Promise<App> {
  const { config } = options;
  const { number, count } = threads;
  const log = count === 1 ? options.log : options.log.child({ thread: number });
  const opened = await (number === 1 ? openMigrated(config, count) : openAsIs(config, count));
  let worker: Worker | null = null;
  let close = () => opened.database.close();
  try {
    // The offer for models is loaded with its first use.
    const offered = async (): Promise<Offer> => {
      if (offer !== undefined) return offer;
      return offerWithFeedback(await loadOffer(parts), parts.feedback);
    };
    const ownTools = async () => (await offered()).tools;
    const wakeWorker = threads.inFirst('jobs.wake', async () => worker?.wake());
    // A worker that is not woken polls soon.
    const wake = () => void wakeWorker().catch(() => {});
    const parts: Parts = await openParts({ ...options, log, ownTools, wake, threads }, opened);
    close = parts.close;
    // Started early, so that no request is refused because the index is missing. With `quiet`, it may never be used.
    if (role !== 'quiet') parts.catalog.begin();
    const server = openServer(parts, offered);
    if (given_settings !== undefined) await noteStart(parts, role, given_settings);
    if (role !== 'quiet') worker = await beginWork(parts);
    return appOf(parts, server, worker, role);
  } catch (error) {
    // Remaining threads would keep a process that failed to start alive.
    await close().catch(() => {});
    throw error;
  }
}

const noteStart = ({ db, clock }: Parts, role: string, settings: readonly string[]): Promise<void> =>
  recordAudit(
    db,
    { actor: SERVICE_ITSELF, action: 'service.start', target: role, detail: { version: SERVICE.version, settings } },
    isoTime(clock.now()),
  );

function openServer(parts: Parts, offered: () => Promise<Offer>): HttpServer {
  const { config, log, database, clock, keys, auth, metrics, threads, telemetry } = parts;
  const { allowed_origins, trusted_proxies, public_url } = config.server;
  const pages = openPages(parts, (path, init) => inProcess(server.fastify, path, init));
  const server = createServer({
    log,
    allowed_origins,
    trusted_proxies,
    pages,
    hosts: createHosts(hostNames(config)),
    is_secure: public_url?.startsWith('https:') === true,
    explain: explainDatabaseFailure,
    onAnswer: metrics.answered,
    onFailure: metrics.failed,
    load: metrics.load,
    spans: telemetry.spans,
    gates: {
      guard: auth.guard,
      limiter: createLimiter({
        database,
        clock,
        limits: Object.values(config.limits),
        ahead: ['mcp'],
        threads,
        onRefused: parts.onLimited,
      }),
      streams: createStreamLimits({
        threads,
        per_user: config.server.streams_per_user,
        per_network: config.server.streams_per_network,
      }),
      replays: createReplays({
        database,
        clock,
        log,
        keys,
        share: (owner) => parts.storage.share(parts.db, owner, 'idempotency'),
        onDropped: () => parts.storage.cut('idempotency'),
      }),
    },
    operations: withFeedback(allOperations(parts, offered, pages), parts.feedback),
  });
  return server;
}

/** The server for monitoring, without other operations. */
const openHealth = (parts: Parts, role: AppOptions['role']): HttpServer =>
  createServer({
    log: parts.log,
    operations: healthOperations(parts, { is_serving: role !== 'work' }),
    explain: explainDatabaseFailure,
    onAnswer: parts.metrics.answered,
    onFailure: parts.metrics.failed,
    trusted_proxies: parts.config.server.trusted_proxies,
  });

async function beginWork(parts: Parts): Promise<Worker> {
  const {
    config,
    log,
    jobs,
    clock,
    meter,
    sync,
    auth,
    probes,
    connections,
    tasks,
    trials,
    proof,
    checks,
    linking,
    marketplace,
  } = parts;
  const kinds = {
    ...sync.kinds,
    ...auth.kinds,
    ...probes.kinds,
    ...connections.kinds,
    ...tasks.kinds,
    ...trials.kinds,
    ...proof.kinds,
    ...checks.kinds,
    ...linking.kinds,
    ...receiptKinds({ ...parts, ...config.receipts }),
    ...expireSpansKind({ ...parts, ...config.traces }),
    ...expireConversationsKind({ ...parts, ...config.agents }),
    ...closeLostKind(parts),
    ...marketplace.kinds,
    ...parts.feedback.kinds,
    ...auditKinds({ ...parts, ...config.audit }),
    ...expireRowsKinds(parts.database, clock),
    ...boundRowsKinds(parts),
    ...storageCountKinds({ ...parts, onDrift: parts.storage_meter.drifted }),
  };
  const worker = startWorker({ jobs, kinds, clock, log, meter });
  await Promise.all([
    sync.schedule(),
    probes.schedule(),
    connections.schedule(),
    tasks.schedule(),
    trials.schedule(),
    proof.schedule(),
    checks.schedule(),
    scheduleReceipts(jobs),
    scheduleAudit(jobs),
    scheduleExpiry(jobs, EXPIRE_SPANS, 'spans'),
    scheduleExpiry(jobs, EXPIRE_CONVERSATIONS),
    scheduleExpireRows(jobs),
    scheduleBoundRows(jobs),
    scheduleStorageCount(jobs),
    jobs.put({ kind: CLOSE_LOST, key: 'all' }),
    marketplace.schedule(jobs),
    parts.feedback.schedule(jobs),
  ]);
  linking.schedule();
  worker.wake();
  return worker;
}

/** Time for startup to finish. */
const WARM_UP_AFTER_MS = 3_000;

function appOf(parts: Parts, server: HttpServer, worker: Worker | null, role: AppOptions['role']): App {
  const { config, log, database, catalog, sync, receipts, sandbox, tasks, turns, linking, marketplace, threads } =
    parts;
  let warming: NodeJS.Timeout | undefined;
  let watched: HttpServer | undefined;
  let draining: Promise<unknown> | undefined;
  const drain = async (graceMs: number): Promise<void> => {
    clearTimeout(warming);
    parts.stop();
    tasks.close();
    linking.close();
    // Turns end first, so that their callers still receive the result.
    draining ??= Promise.all([server.close(graceMs), worker?.stop(), turns.close(0.9 * graceMs)]);
    await draining;
  };
  return {
    database,
    catalog,
    sync,
    receipts,
    sandbox,
    listen: async (wanted = config.server.port) => {
      const { host, port } = await server.listen(config.server.host, wanted, { shared: threads.count > 1 });
      const warmUp = () => marketplace.warmUp().catch((error) => log.warn({ error }, 'index not started yet'));
      warming = setTimeout(() => void warmUp(), WARM_UP_AFTER_MS).unref();
      return { url: localUrl(host, port), port };
    },
    listenForWatchers: async () => {
      if (config.health.metrics_port === 0) return null;
      watched = openHealth(parts, role);
      const own = { setting: 'CAPSTAN_METRICS_PORT' };
      const { host, port } = await watched.listen(config.server.host, config.health.metrics_port, own);
      return { url: localUrl(host, port) };
    },
    fetch: (path, init) => inProcess(server.fastify, path, init),
    drain: (graceMs = 0) => drain(graceMs),
    close: async (graceMs = 0) => {
      await drain(graceMs);
      await watched?.close(graceMs);
      await parts.close();
    },
  };
}
