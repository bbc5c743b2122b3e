import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp } from '#app/app.ts';
import { SETTINGS } from '#app/settings.ts';
import { lazySeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { isoTime, systemClock } from '#core/clock/clock.ts';
import { readConfig } from '#core/config/config.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { defined } from '#core/defined.ts';
import { LIMIT_SETTINGS } from '#core/limits/settings.ts';
import { createLog } from '#core/log.ts';
import { openRuntime } from '#runtime/packaged/open-runtime.ts';
import type { Bundle } from '#runtime/receipts/bundle.ts';
import { accountsOf } from '../accounts.ts';
import { postgresConfig } from '../databases.ts';
import { stdioProgram } from '../fakes/stdio-server.ts';
import { freePort } from '../free-port.ts';
import { listing, remote } from '../listings.ts';
import { copySqlite } from '../migrated.ts';
import { saved } from '../packaged-stand.ts';
import { openNpmRegistry } from '../packages/npm-registry.ts';
import { noPackagesHere, runtimeFixture } from '../packages/runtime.ts';
import { startPostgres } from '../postgres.ts';
import { type Capstand, capstand, freshDir } from '../process/capstand.ts';
import { compareReceipts, type Made } from '../receipts/counted.ts';
import { DOORS, type Door, rigOf, startFar, type Ways } from '../receipts/doors.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/**
 * `npm run soak -- receipts [calls] [kills]`: the service on SQLite and on PostgreSQL, with calls through every door at once, is
 * killed with SIGKILL in the middle of them and started again. Afterwards each call has its receipt, each receipt its call,
 * and each verifies. Ends with 1 where one does not.
 */
const [calls = 480, kills = 5] = process.argv.slice(2).map(Number);
const AT_ONCE = 8;
const ACCEPT = 'application/json, text/event-stream';

/** The package of the packaged server. */
const CLOCK = {
  registry_type: 'npm',
  identifier: 'clock',
  version: '1.2.3',
  transport: 'stdio',
  env: [],
  package_arguments: [],
};

const UNLIMITED = Object.fromEntries(
  Object.keys(LIMIT_SETTINGS).map((name) => [`CAPSTAN_LIMIT_${name.toUpperCase()}`, '100000/1s']),
);

/** Why packages are not run here; then there is one door less. */
const noPackages = await noPackagesHere();
if (noPackages !== false) process.stdout.write(`without the packaged server: ${noPackages}\n`);
const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
try {
  for (const engine of ['SQLite', 'PostgreSQL']) process.stdout.write(`${engine}: ${await run(engine)}\n`);
} catch (error) {
  process.stdout.write(`FAILS ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await postgres.stop();
}

async function run(engine: string): Promise<string> {
  await using npm = await disposable(openNpmRegistry());
  npm.publish(CLOCK.identifier, {
    version: CLOCK.version,
    manifest: { bin: 'server.js' },
    files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${stdioProgram()}` }],
  });
  await using far = await disposable(startFar());
  const data_dir = await freshDir();
  const database = engine === 'SQLite' ? null : await postgresConfig();
  if (database === null) await copySqlite(join(data_dir, 'capstan.db'));
  if (noPackages === false) await prepareClock(npm.url, data_dir);
  const port = await freePort();
  const env = {
    ...UNLIMITED,
    DATA_DIR: data_dir,
    PORT: `${port}`,
    CAPSTAN_PROVIDERS: 'off',
    CAPSTAN_LLM_URL: far.llm.url,
    CAPSTAN_LLM_MODELS: 'fake-1',
    CAPSTAN_NPM_REGISTRY: npm.url,
    CAPSTAN_TRIALS_PER_ADDRESS: '10000',
    CAPSTAN_TRIALS_PER_DAY: '1000000',
    ...defined({ DATABASE_URL: (database?.config as { url?: string } | undefined)?.url }),
  };
  const url = `http://127.0.0.1:${port}`;
  let service = await started(env);
  const beside = await createApp({ config: readConfig(SETTINGS, env), log: createLog('silent'), role: 'quiet' });
  try {
    const world = { ...beside, data_dir } as unknown as World;
    const { token } = await (await accountsOf(world, undefined, url)).signUp();
    const listing = await listed(beside.database.db, far.server.url, env);
    const ways = { ...(await opened(url, token, far.server.url)), listing };
    const doors = DOORS.filter(({ is_counted }) => is_counted || ways.packaged !== null);
    const made: Made[] = [];
    let [next, answers] = [0, 0];
    let restarting: Promise<void> | null = null;
    const dueAt = Array.from({ length: kills }, (_, at) => Math.floor((calls * (at + 1)) / (kills + 1)));
    const again = async (): Promise<void> => {
      service.child.kill('SIGKILL');
      await service.ended;
      service = await started(env);
      restarting = null;
    };
    const work = async (): Promise<void> => {
      while (next < calls) {
        if (restarting !== null) await restarting;
        const n = next++;
        made.push(await through(ways, doors[n % doors.length] as Door, n));
        if (++answers >= (dueAt[0] ?? Infinity)) {
          dueAt.shift();
          restarting ??= again();
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (restarting !== null) await restarting;
    await settled(beside.database.db);
    const headers = { authorization: `Bearer ${token}` };
    const keys = await openSecretKeys({ written: null, may_make: true, data_dir });
    return await compareReceipts({
      db: beside.database.db,
      keys,
      made,
      reached: far.reached,
      bundleOf: async (id) => (await (await fetch(`${url}/api/receipts/${id}`, { headers })).json()) as Bundle,
    });
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
    await beside.close();
    await database?.drop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

/** Boxes reach no registry on loopback, so the package is there before the service starts. */
async function prepareClock(registry: string, data_dir: string): Promise<void> {
  await using fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry });
  const runtime = await openRuntime({ ...fixture.deps, data_dir });
  const { signal } = new AbortController();
  const { identifier, version, registry_type } = CLOCK;
  const source = { registry_type, identifier, version, file_sha256: '', registry_base_url: '' };
  await runtime.prepare(await runtime.pin(source, signal), { signal, on_step: () => {} });
  await runtime.close();
}

async function started(env: Record<string, string>): Promise<Capstand> {
  const service = capstand(['serve'], env);
  await service.url();
  return service;
}

/** Saves listings of the server at the address and of the package, and has the first one probed. Answers its name. */
async function listed(db: World['database']['db'], address: string, env: Record<string, string>): Promise<string> {
  const save = { run: 'soak', now: isoTime(systemClock.now()) };
  await db
    .transaction()
    .execute((trx) =>
      saveListings(trx, 'glama', [listing('glama', 'soak/far', remote(address))], { ...save, seq: lazySeq(trx) }),
    );
  await saved({ db }, 'soak/clock', CLOCK);
  const probe = capstand(['probe', 'glama/soak/far'], env);
  const { code, stdout, stderr } = await probe.ended;
  if (code !== 0) throw new Error(`the server of the listing could not be probed: ${stdout}${stderr}`);
  return 'glama/soak/far';
}

/** Connections, an endpoint, and a rig; each tool called once, so that it is pinned. */
async function opened(url: string, token: string, server: string): Promise<Omit<Ways, 'listing'>> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const said = (await answer.json()) as { id: string; token: string; connections: { prefix: string }[] };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(said)}`);
    return said;
  };
  const { id: connection } = await post('/api/sessions/connections', { url: server });
  const made = await post('/api/sessions/endpoints', { name: 'soak', connections: [{ id: connection }] });
  const clock = { listing: { provider: 'mcp-registry', external_id: 'soak/clock' } };
  const packaged = noPackages === false ? (await post('/api/sessions/connections', clock)).id : null;
  await post('/api/rigs', { yaml: rigOf(connection) });
  await post('/api/rigs/asks/resolve', {});
  const endpoint = { token: made.token, prefix: made.connections[0]?.prefix as string };
  return { url, token, connection, packaged, endpoint };
}

/** Without an answer, the service was killed meanwhile. */
async function through(ways: Ways, door: Door, n: number): Promise<Made> {
  const call: Made = { n, door, answered: false, receipt_id: null };
  const send = async (path: string, token: string | null, body: object): Promise<string> => {
    const credential = token === null ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...credential, 'content-type': 'application/json', accept: ACCEPT };
    const answer = await fetch(`${ways.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.text();
  };
  try {
    const { path, body, token = ways.token } = door.order(ways, door.args(n), n);
    const said = await send(path, token, body);
    if (door.is_started)
      await send(`/api/agents/tasks/${(JSON.parse(said) as { id: string }).id}/start`, ways.token, {});
    call.receipt_id = /\\?"receipt_id\\?":\\?"([\w-]+)/.exec(said)?.[1] ?? null;
    call.answered = true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return call;
}

/** Until nothing runs any more, and what a killed process left is signed. */
async function settled(db: Awaited<ReturnType<typeof createApp>>['database']['db']): Promise<void> {
  await until('the end of every task and call', async () => {
    const working = await db.selectFrom('tasks').select('id').where('status', '=', 'working').execute();
    const owed = await db.selectFrom('owed_receipts').select('id').execute();
    return working.length + owed.length === 0;
  });
}

async function disposable<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T & AsyncDisposable> {
  const part = await opening;
  return Object.assign(part, { [Symbol.asyncDispose]: () => part.close() });
}
