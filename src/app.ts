import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectOptions } from 'fastify';
import { CONTRACT, CONTRACT_VERSION, OPERATIONS } from './contract.ts';
import { loadErrorPages } from './features/docs/error-pages.ts';
import { docsRoutes } from './features/docs/routes.ts';
import { type Catalog, openCatalog } from './features/registry/catalog/catalog.ts';
import { databaseIdentity } from './features/registry/database-identity.ts';
import { registryRoutes } from './features/registry/routes.ts';
import { createSyncEngine, type SyncEngine } from './features/registry/sync/engine.ts';
import { PROVIDER_DOORS } from './features/registry/sync/providers/all.ts';
import type { SyncConfig } from './features/registry/sync/sync-plan.ts';
import { loadSkills } from './features/skills/load-skills.ts';
import { skillsRoutes } from './features/skills/routes.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { prepareDataDir } from './platform/data-dir.ts';
import { explainDatabaseFailure } from './platform/db/failure.ts';
import { migrate } from './platform/db/migrate.ts';
import { type Database, type DatabaseConfig, openDatabase } from './platform/db/open.ts';
import { healthRoutes } from './platform/health/routes.ts';
import type { Contract, Handler, OperationBase, Routes } from './platform/http/operation.ts';
import { createServer } from './platform/http/server.ts';
import { jobTable } from './platform/jobs/jobs.ts';
import { startWorker } from './platform/jobs/worker.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { createOutbound } from './platform/outbound.ts';
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
  fetch(path: string, init?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<Response>;
  database: Database;
  catalog: Catalog;
  sync: SyncEngine;
  /** Lets requests and jobs end; cuts what is left after `grace_ms`. */
  close(grace_ms?: number): Promise<void>;
}

export const SKILLS_DIR = fileURLToPath(new URL('../skills/', import.meta.url));
const POSTGRES_POOL_SIZE = 10;

export async function createApp({ config, log, clock = systemClock, role = 'serve' }: AppOptions): Promise<App> {
  const data_dir = await prepareDataDir(config.server.data_dir);
  const database_config = databaseConfig(config, data_dir);
  const database = await openDatabase(database_config);
  try {
    await migrate(database);
    return await assemble();
  } catch (error) {
    await database.close();
    throw error;
  }

  async function assemble(): Promise<App> {
    const skills = await loadSkills(SKILLS_DIR);
    // With the contract's version, so that a changed shape of items meets no old snapshot and no old validator.
    const identity = `${await databaseIdentity(database.db)}-${CONTRACT_VERSION}`;
    const catalog = openCatalog({ database: database_config, identity, data_dir, log });
    const outbound = createOutbound({ allow_loopback: !isProduction(config), user_agent: SERVICE.title });
    const jobs = jobTable(database, clock);
    const sync = createSyncEngine({
      ...{ db: database.db, jobs, clock, log, fetch: outbound.fetch },
      config: syncConfig(config),
      providers: PROVIDER_DOORS,
    });
    const metrics = createMetrics();
    const server = createServer({
      log,
      explain: explainDatabaseFailure,
      onAnswer: metrics.answered,
      operations: [
        ...bind(
          CONTRACT.registry,
          registryRoutes({
            ...{ db: database.db, catalog, clock },
            public_url: config.server.public_url,
            enabled: config.registry.providers,
          }),
        ),
        ...bind(CONTRACT.skills, skillsRoutes(skills)),
        ...bind(
          CONTRACT.health,
          healthRoutes({ metrics, checks: { database: database.ping, catalog: built(catalog) } }),
        ),
        ...bind(
          CONTRACT.docs,
          docsRoutes({
            operations: OPERATIONS,
            contract_version: CONTRACT_VERSION,
            public_url: config.server.public_url,
            base_url: config.server.public_url ?? localUrl(config.server.host, config.server.port),
            problems: PROBLEMS,
            pages: await loadErrorPages(),
            ...{ catalog, skills, clock, db: database.db, enabled: config.registry.providers },
          }),
        ),
      ],
    });
    const worker = role === 'quiet' ? null : startWorker({ jobs, kinds: sync.kinds, clock, log });
    if (worker !== null) await sync.schedule();
    worker?.wake();
    return {
      ...{ database, catalog, sync },
      listen: async () => {
        const { host, port } = await server.listen(config.server.host, config.server.port);
        return { url: localUrl(host, port) };
      },
      fetch: (path, init = {}) => inProcess(server.fastify.inject.bind(server.fastify), path, init),
      close: async (grace_ms = 0) => {
        await Promise.all([server.close(grace_ms), worker?.stop()]);
        await catalog.close();
        await outbound.close();
        await database.close();
      },
    };
  }
}

export const databaseConfig = ({ server }: Config, data_dir: string): DatabaseConfig =>
  server.database_url === null
    ? { engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' }
    : { engine: 'postgres', url: server.database_url, pool_size: POSTGRES_POOL_SIZE };

const localUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const syncConfig = ({ registry, server }: Config): SyncConfig => ({
  providers: registry.providers,
  urls: withoutNulls(registry.provider_urls),
  keys: withoutNulls(registry.provider_keys),
  interval_ms: registry.sync_interval_ms,
  full_interval_ms: registry.full_sync_interval_ms,
  public_url: server.public_url ?? localUrl(server.host, server.port),
  version: SERVICE.version,
});

const withoutNulls = <K extends string>(record: Record<K, string | null>): Partial<Record<K, string>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as Partial<Record<K, string>>;

const built = (catalog: Catalog) => async (): Promise<void> => {
  if (!catalog.isReady) throw new Error('is being built');
};

/** Handlers are typed against their own operation; the router sees them all alike. */
const bind = <C extends Contract>(contract: C, routes: Routes<C>): { operation: OperationBase; handler: Handler }[] =>
  Object.entries(contract).map(([name, operation]) => ({ operation, handler: routes[name as keyof C] as Handler }));

type Inject = (options: InjectOptions) => Promise<{ statusCode: number; headers: object; rawPayload: Buffer }>;

async function inProcess(
  inject: Inject,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Response> {
  const { method = 'GET', headers = {}, body } = init;
  const options = { method, url: path, headers, ...(body === undefined ? {} : { payload: body }) } as InjectOptions;
  const answer = await inject(options);
  const empty = [204, 304].includes(answer.statusCode) || method === 'HEAD';
  return new Response(empty ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      Array.isArray(value) ? value.map((it): [string, string] => [name, `${it}`]) : [[name, `${value}`]],
    ),
  });
}
