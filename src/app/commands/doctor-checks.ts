import { resolve } from 'node:path';
import { tokenKeysCheck } from '#accounts/tokens/token-keys-check.ts';
import { readDatabaseIdentity } from '#catalog/changes/database-identity.ts';
import { searchModelCheck } from '#catalog/search/model/search-model-check.ts';
import { egressCheck } from '#catalog/sync/egress-check.ts';
import { providersCheck } from '#catalog/sync/providers-check.ts';
import { type Reached, reachProviders } from '#catalog/sync/reach-providers.ts';
import { providersOf } from '#catalog/sync/sync-plan.ts';
import { systemClock as clock } from '#core/clock/clock.ts';
import { clockCheck } from '#core/clock/clock-check.ts';
import { settingFiles } from '#core/config/config.ts';
import { settingFilesCheck } from '#core/config/setting-files-check.ts';
import { secretKeysCheck } from '#core/crypto/secret-keys-check.ts';
import { databaseCheck } from '#core/db/database-check.ts';
import { readMigrationState } from '#core/db/migrate.ts';
import { migrationsCheck } from '#core/db/migrations-check.ts';
import type { Database } from '#core/db/open.ts';
import { type Check, type Finding, ok, warn } from '#core/doctor/check.ts';
import { diskCheck } from '#core/health/disk-check.ts';
import { limitsCheck, nodeCheck } from '#core/health/process-check.ts';
import { publicUrlCheck } from '#core/health/public-url-check.ts';
import { serviceCheck } from '#core/health/service-check.ts';
import { jobsCheck } from '#core/jobs/jobs-check.ts';
import { modelsCheck } from '#core/llm/models-check.ts';
import { mailCheck } from '#core/mail/mail-check.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { storageCheck } from '#core/storage/storage-check.ts';
import { collectorCheck } from '#core/telemetry/collector-check.ts';
import { boxesCheck } from '#runtime/packaged/boxes-check.ts';
import { receiptKeysCheck } from '#runtime/receipts/receipt-keys-check.ts';
import { sandboxCheck } from '#runtime/sandbox/sandbox-check.ts';
import { databaseConfig, openToRead } from '../database.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { type Config, isProduction, SETTINGS, whyProduction } from '../settings.ts';

/** The checks of `capstand doctor` with their dependencies. */

interface Gathered {
  checks: Check[];
  close(): Promise<void>;
}

/** Checks that need no settings. */
export const MACHINE_CHECKS: readonly Check[] = [nodeCheck, limitsCheck];

export async function gatherChecks(config: Config, env: Record<string, string | undefined>): Promise<Gathered> {
  const database = await openToRead(config);
  const storedState = readStoredState(database);
  const production = isProduction(config);
  const outbound = createOutbound({ allow_loopback: !production, user_agent: SERVICE.title });
  const sync = providersOf(config.registry);
  // Requested once for two checks.
  let asked: Promise<Reached[]> | undefined;
  const reach = (signal: AbortSignal) => {
    asked ??= reachProviders({ ...sync, fetch: outbound.fetch }, signal);
    return asked;
  };
  const { server, auth } = config;
  const data_dir = resolve(server.data_dir);
  const host = server.database_url === null ? null : new URL(server.database_url).hostname;
  const stored = (name: string, check: (ready: Ready) => Check) => onStored(storedState, name, check);
  const seen = async () => readyOf(await storedState);
  const secrets = {
    written: auth.secret_key,
    may_make: !production,
    why_needed: whyProduction(config),
    data_dir,
    places: SEALED_COLUMNS,
  };
  return {
    checks: [
      ...MACHINE_CHECKS,
      databaseCheck(database, databaseConfig(config, data_dir)),
      later('migrations', async () => migrationsOf(await storedState)),
      settingFilesCheck(settingFiles(SETTINGS, env)),
      later('secret key', async () => secretKeysCheck({ ...secrets, db: (await seen())?.database.db ?? null })),
      stored('token keys', ({ database: { db } }) =>
        tokenKeysCheck({ db, clock, rotation_ms: auth.token_key_rotation_ms }),
      ),
      stored('receipt keys', ({ database: { db } }) => receiptKeysCheck({ db, clock })),
      later('clock', async () => clockCheck({ database: (await seen())?.database ?? null, told: timesOf(reach) })),
      diskCheck({ data_dir, database, database_host: host }),
      later('service', async () => serviceCheck({ ...server, instance: (await seen())?.instance ?? null })),
      later('PUBLIC_URL', async () =>
        publicUrlCheck({ ...server, production, instance: (await seen())?.instance ?? null }),
      ),
      egressCheck(reach),
      stored('providers', ({ database: { db } }) => providersCheck({ db, clock, config: sync })),
      stored('storage', ({ database: { db } }) => storageCheck({ db })),
      stored('jobs', ({ database: { db } }) => jobsCheck({ db, clock })),
      sandboxCheck(config.execution),
      boxesCheck(config.runtime, data_dir),
      modelsCheck(config.llm),
      searchModelCheck(config),
      mailCheck({ config: config.mail, data_dir, production }),
      collectorCheck(config.telemetry),
    ],
    close: async () => {
      await Promise.all([outbound.close(), database?.close()]);
    },
  };
}

/** The database, if this program can read its tables. */
interface Ready {
  database: Database;
  /** Null if no service was ever started with it. */
  instance: string | null;
}

type StoredState = { state: Awaited<ReturnType<typeof readMigrationState>>; ready: Ready | null } | 'none' | 'away';

async function readStoredState(database: Database | null): Promise<StoredState> {
  if (database === null) return 'none';
  try {
    const state = await readMigrationState(database);
    if (state.current !== state.newest) return { state, ready: null };
    return { state, ready: { database, instance: await readDatabaseIdentity(database.db) } };
  } catch {
    // The database check says why.
    return 'away';
  }
}

const readyOf = (storedState: StoredState): Ready | null =>
  typeof storedState === 'string' ? null : storedState.ready;

/** Creates the check when its dependencies are known, within its timeout. */
const later = (name: string, make: () => Promise<Check>): Check => ({
  name,
  run: async (signal) => (await make()).run(signal),
});

const saying = (name: string, finding: Finding): Check => ({ name, run: async () => [finding] });

const onStored = (storedState: Promise<StoredState>, name: string, check: (ready: Ready) => Check): Check =>
  later(name, async () => {
    const found = await storedState;
    const ready = readyOf(found);
    return ready === null ? saying(name, skipped(found)) : check(ready);
  });

function skipped(storedState: StoredState): Finding {
  if (storedState === 'none') return ok('No data yet.');
  return storedState === 'away'
    ? warn('Skipped: the database is unavailable.', 'See database')
    : warn('Skipped: the database has another schema version.', 'See migrations');
}

const migrationsOf = (storedState: StoredState): Check =>
  typeof storedState === 'string' ? saying('migrations', skipped(storedState)) : migrationsCheck(storedState.state);

/** Clock times from provider responses. */
const timesOf =
  (reach: (signal: AbortSignal) => Promise<Reached[]>) =>
  async (signal: AbortSignal): Promise<NonNullable<Reached['told']>[]> =>
    (await reach(signal)).flatMap(({ told }) => told ?? []);
