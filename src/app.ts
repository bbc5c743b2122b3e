import { CONTRACT, CONTRACT_VERSION, OPERATIONS } from './contract.ts';
import { type OwnDatabase, openMigrated } from './database.ts';
import { type Auth, createAuth } from './features/auth/auth.ts';
import { authHoldings } from './features/auth/holdings.ts';
import { loadErrorPages } from './features/docs/error-pages.ts';
import { docsRoutes } from './features/docs/routes.ts';
import type { ResolveCapability } from './features/execution/capability.ts';
import { promptRunner } from './features/execution/prompt.ts';
import { gaugeSandbox } from './features/execution/sandbox/gauges.ts';
import { openSandbox } from './features/execution/sandbox/open-sandbox.ts';
import type { Sandbox } from './features/execution/sandbox/sandbox.ts';
import { skillCapability } from './features/execution/skill-capability.ts';
import { openReceiptKeys, type ReceiptKeys, type ReceiptKeysDeps } from './features/receipts/receipt-keys.ts';
import { openReceipts, type Receipts } from './features/receipts/receipts.ts';
import { receiptsRoutes } from './features/receipts/routes.ts';
import { type Catalog, openCatalog } from './features/registry/catalog/catalog.ts';
import { databaseIdentity } from './features/registry/database-identity.ts';
import { readStats } from './features/registry/read-stats.ts';
import { registryRoutes } from './features/registry/routes.ts';
import { createSyncEngine, type SyncEngine } from './features/registry/sync/engine.ts';
import { PROVIDER_DOORS } from './features/registry/sync/providers/all.ts';
import type { SyncConfig } from './features/registry/sync/sync-plan.ts';
import { refuseWhileWarmingUp } from './features/registry/warming-up.ts';
import { findSkill } from './features/skills/find-skill.ts';
import { loadSkills, SKILLS_DIR, type SkillShelf } from './features/skills/load-skills.ts';
import { skillsRoutes } from './features/skills/routes.ts';
import { openTasks, type Tasks } from './features/tasks/open-tasks.ts';
import { expiryKinds, scheduleExpiry } from './features/traces/expire-spans.ts';
import { openTracing } from './features/traces/open-tracing.ts';
import type { Holding } from './features/users/holding.ts';
import { usersRoutes } from './features/users/routes.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type KeyProvider, openSecretKeys } from './platform/crypto/secret-keys.ts';
import { explainDatabaseFailure } from './platform/db/failure.ts';
import type { Database } from './platform/db/open.ts';
import { healthRoutes } from './platform/health/routes.ts';
import { type InProcessInit, inProcess } from './platform/http/in-process.ts';
import type { Contract, Handler, OperationBase, Routes } from './platform/http/operation.ts';
import { createServer } from './platform/http/server.ts';
import { type JobTable, jobTable } from './platform/jobs/jobs.ts';
import { startWorker, type Worker } from './platform/jobs/worker.ts';
import { createLimiter } from './platform/limits/limiter.ts';
import { openModels } from './platform/llm/models.ts';
import type { Log } from './platform/log.ts';
import { createSendMail } from './platform/mail/send-mail.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createOutbound } from './platform/outbound.ts';
import { forgetKeysOf, listKeysOf } from './platform/replays/held-keys.ts';
import { createReplays } from './platform/replays/replays.ts';
import { SERVICE } from './platform/service.ts';
import { PROBLEMS } from './problems.ts';
import { type Config, isProduction } from './settings.ts';

/** All wiring, by hand, top to bottom. What a feature needs from a later one reaches it as an argument here. */

export interface AppOptions {
  config: Config;
  log: Log;
  clock?: Clock;
  /** `serve` answers requests and works; `work` only works; `quiet` only answers. */
  role?: 'serve' | 'work' | 'quiet';
}

export interface App {
  listen(): Promise<{ url: string }>;
  /** Answers in process, without a socket. */
  fetch(path: string, init?: InProcessInit): Promise<Response>;
  database: Database;
  catalog: Catalog;
  sync: SyncEngine;
  receipts: Receipts;
  sandbox: Sandbox;
  /** Lets requests and jobs end; cuts what is left after `grace_ms`. */
  close(grace_ms?: number): Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const opened = await openMigrated(options.config);
  try {
    return await assemble(options, opened);
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

async function assemble(options: AppOptions, { database, database_config, data_dir }: OwnDatabase): Promise<App> {
  const { config, log, clock = systemClock, role = 'serve' } = options;
  const { db } = database;
  const production = isProduction(config);
  const keys = await openSecretKeys({ written: config.auth.secret_key, may_make: !production, data_dir });
  const skills = await loadSkills(SKILLS_DIR);
  // With the contract's version, so that a changed shape of items meets no old snapshot and no old validator.
  const identity = `${await databaseIdentity(db)}-${CONTRACT_VERSION}`;
  const catalog = openCatalog({ database: database_config, identity, data_dir, log });
  const outbound = createOutbound({ allow_loopback: !production, user_agent: SERVICE.title });
  const jobs = jobTable(database, clock);
  const sync = createSyncEngine({
    ...{ db, jobs, clock, log, fetch: outbound.fetch },
    config: syncConfig(config),
    providers: PROVIDER_DOORS,
  });
  const metrics = createMetrics();
  const auth = createAuth({
    ...{ database, clock, log, keys, outbound, jobs, data_dir, production },
    base_url: baseUrl(config),
    sendMail: createSendMail({ config: config.mail, data_dir, clock, log }),
    limits: config.limits,
    config: config.auth,
  });
  const proofs = openProofs({ db, clock, keys, base_url: baseUrl(config) });
  let worker: Worker | null = null;
  const running = openRunning({ database, clock, log, keys, jobs, config, skills, proofs, wake: () => worker?.wake() });
  gaugeSandbox(metrics.registry, running.sandbox);
  const { tasks } = running;
  const server = createServer({
    log,
    explain: explainDatabaseFailure,
    onAnswer: metrics.answered,
    gates: {
      guard: auth.guard,
      limiter: createLimiter({ database, clock, limits: Object.values(config.limits) }),
      replays: createReplays({ database, clock, log, keys }),
    },
    allowed_origins: config.server.allowed_origins,
    trusted_proxies: config.server.trusted_proxies,
    operations: await allOperations({ config, database, catalog, clock, log, skills, metrics, auth, proofs, tasks }),
  });
  if (role !== 'quiet') {
    const kinds = { ...sync.kinds, ...auth.kinds, ...tasks.kinds, ...expiryKinds({ db, clock, ...config.traces }) };
    worker = startWorker({ jobs, kinds, clock, log });
    await Promise.all([sync.schedule(), tasks.schedule(), scheduleExpiry(jobs)]);
    worker.wake();
  }
  return {
    ...{ database, catalog, sync, receipts: proofs.receipts, sandbox: running.sandbox },
    listen: async () => {
      const { host, port } = await server.listen(config.server.host, config.server.port);
      return { url: localUrl(host, port) };
    },
    fetch: (path, init) => inProcess(server.fastify, path, init),
    close: async (grace_ms = 0) => {
      tasks.close();
      await Promise.all([server.close(grace_ms), worker?.stop()]);
      await running.close();
      await catalog.close();
      await outbound.close();
      await database.close();
    },
  };
}

interface Parts {
  config: Config;
  database: Database;
  catalog: Catalog;
  clock: Clock;
  log: Log;
  skills: SkillShelf;
  metrics: Metrics;
  auth: Auth;
  proofs: Proofs;
  tasks: Tasks;
}

const idempotencyKeys: Holding = {
  name: 'idempotency_keys',
  read: (db, { user_id }) => listKeysOf(db, user_id),
  erase: (trx, { user_id }) => forgetKeysOf(trx, user_id),
};

/** Every operation of the contract with what answers it. */
async function allOperations(parts: Parts): Promise<Bound[]> {
  const { config, database, catalog, clock, log, skills, metrics, auth, proofs, tasks } = parts;
  const { public_url } = config.server;
  const { db } = database;
  const enabled = config.registry.providers;
  const stats = readStats({ catalog, db, enabled });
  return [
    ...bind(
      CONTRACT.users,
      usersRoutes({
        database,
        clock,
        log,
        canonicalAddress: auth.canonicalAddress,
        findPublisher: async () => null,
        holdings: [...authHoldings, idempotencyKeys, tasks.holding],
      }),
    ),
    ...bind(CONTRACT.auth, auth.routes),
    ...bind(CONTRACT.registry, registryRoutes({ db, catalog, clock, public_url, enabled, stats })),
    ...bind(CONTRACT.skills, skillsRoutes(skills)),
    ...bind(CONTRACT.receipts, receiptsRoutes({ db, ...proofs })),
    ...bind(CONTRACT.tasks, tasks.routes),
    ...bind(
      CONTRACT.health,
      healthRoutes({
        metrics,
        checks: { database: database.ping, catalog: async () => refuseWhileWarmingUp(catalog) },
      }),
    ),
    ...bind(
      CONTRACT.docs,
      docsRoutes({
        ...{ operations: OPERATIONS, contract_version: CONTRACT_VERSION, problems: PROBLEMS },
        ...{ public_url, base_url: baseUrl(config), pages: await loadErrorPages() },
        ...{ catalog, stats, skills, clock },
      }),
    ),
  ];
}

interface RunningParts extends Pick<Parts, 'config' | 'database' | 'clock' | 'log' | 'skills' | 'proofs'> {
  keys: KeyProvider;
  jobs: JobTable;
  wake(): void;
}

/** What runs capabilities, and the tasks that it is run for. */
function openRunning({ database, clock, log, keys, jobs, config, skills, proofs, wake }: RunningParts) {
  const { db } = database;
  const tracing = openTracing({ db, log, config: config.traces });
  const sandbox = openSandbox(config.execution);
  const models = openModels(config.llm);
  const deps = { sandbox, prompt: promptRunner({ models, sandbox }) };
  const resolve: ResolveCapability = async ({ kind, ref }) =>
    skillCapability({ kind, ref }, findSkill(skills, ref), deps);
  const tasks = openTasks({
    database,
    clock,
    keys,
    jobs,
    wake,
    resolve,
    tracing,
    ...config.tasks,
    receipts: proofs.receipts,
  });
  return {
    ...{ sandbox, tasks },
    close: async () => {
      await sandbox.close();
      await models.close();
      await tracing.close();
    },
  };
}

interface Proofs {
  receipt_keys: ReceiptKeys;
  receipts: Receipts;
  origin: string;
}

/** The log is named by where it is reached, without a scheme, as checkpoints have it. */
function openProofs({ base_url, ...deps }: ReceiptKeysDeps & { base_url: string }): Proofs {
  const origin = `${base_url.replace(/^https?:\/\//, '')}/receipts`;
  const receipt_keys = openReceiptKeys(deps);
  return { origin, receipt_keys, receipts: openReceipts({ ...deps, receipt_keys, origin }) };
}

const localUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const baseUrl = ({ server }: Pick<Config, 'server'>): string => server.public_url ?? localUrl(server.host, server.port);

const syncConfig = ({ registry, server }: Config): SyncConfig => ({
  providers: registry.providers,
  urls: withoutNulls(registry.provider_urls),
  keys: withoutNulls(registry.provider_keys),
  interval_ms: registry.sync_interval_ms,
  full_interval_ms: registry.full_sync_interval_ms,
  public_url: baseUrl({ server }),
  version: SERVICE.version,
});

const withoutNulls = <K extends string>(record: Record<K, string | null>): Partial<Record<K, string>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as Partial<Record<K, string>>;

type Bound = { operation: OperationBase; handler: Handler };

/** Handlers are typed against their own operation; the router sees them all alike. */
const bind = <C extends Contract>(contract: C, routes: Routes<C>): Bound[] =>
  Object.entries(contract).map(([name, operation]) => ({ operation, handler: routes[name as keyof C] as Handler }));
