import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { createUser } from '#accounts/users/users.ts';
import { insertConnection } from '#connections/connections/connections.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { postgresConfig } from '../databases.ts';
import { createBrowser } from '../fakes/browser.ts';
import { startOAuthFake } from '../fakes/mcp-oauth.ts';
import { freePort } from '../free-port.ts';
import { startPostgres } from '../postgres.ts';
import { capstand, freshDir } from '../process/capstand.ts';
import { newConnection } from '../vault-stand.ts';

/**
 * `npm run soak -- refresh [seconds] [calls a second]`: one connection used through two processes on PostgreSQL while its
 * tokens end every 5 s. No call may fail, and each end may cost one refresh.
 */
const [seconds = 60, rate = 50] = process.argv.slice(2).map(Number);
const LIFE_S = 5;

const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
const { config, drop } = await postgresConfig();
const database = await openDatabase(config);
await migrate(database);
const fake = await startOAuthFake();
fake.life_s = LIFE_S;

const ports = [await freePort(), await freePort()];
const shared = {
  DATABASE_URL: config.engine === 'postgres' ? config.url : '',
  CAPSTAN_SECRET_KEY: randomBytes(32).toString('base64'),
  PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
  LOG_LEVEL: 'info',
};
const processes = await Promise.all(
  ports.map(async (port) => capstand(['serve'], { ...shared, PORT: `${port}`, DATA_DIR: await freshDir() })),
);
await Promise.all(processes.map((child) => child.url()));

const now = new Date().toISOString();
const user = await createUser(database.db, 'Ada', now);
const { key } = await createApiKey(
  database.db,
  { user_id: user.id, name: 'soak', scopes: ['read', 'write'], expires_at: null },
  now,
);
const connection = newConnection(user.id, { url: fake.mcp.url });
await insertConnection(database.db, connection);

const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
const ask = (port: number, path: string, body: object, send: typeof fetch = fetch) =>
  send(`http://127.0.0.1:${port}/api/sessions/connections/${connection.id}/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });

const browser = createBrowser();
const started = await ask(ports[0] as number, 'oauth/start', {}, browser.send as typeof fetch);
const { authorization_url } = (await started.json()) as { authorization_url: string };
const { response } = await browser.visit(authorization_url);
if (response?.status !== 200) throw new Error(`the sign-in failed: ${await response?.text()}`);

const failures = new Map<string, number>();
const waitsMs: number[] = [];
async function call(port: number): Promise<void> {
  const from = performance.now();
  const answer = await ask(port, 'tools/call', { tool: 'hello', arguments: {} });
  const text = await answer.text();
  waitsMs.push(performance.now() - from);
  if (answer.status === 200 && text.includes('hello done')) return;
  const what = `${answer.status} ${text.slice(0, 200)}`;
  failures.set(what, (failures.get(what) ?? 0) + 1);
}

const before = fake.refreshes;
const calls: Promise<void>[] = [];
const begun = performance.now();
for (let at = 0; at < seconds * rate; at++) {
  await sleep(Math.max(0, begun + (at * 1_000) / rate - performance.now()));
  calls.push(call(ports[at % 2] as number));
}
await Promise.all(calls);

const tookS = (performance.now() - begun) / 1_000;
const { version } = await database.db.selectFrom('connection_grants').select('version').executeTakeFirstOrThrow();
const refreshes = fake.refreshes - before;
waitsMs.sort((a, b) => a - b);
const at = (share: number) => (waitsMs[Math.floor(waitsMs.length * share)] ?? 0).toFixed(1);
process.stdout.write(
  `${calls.length} calls in ${tookS.toFixed(1)} s through two processes: ${calls.length - [...failures.values()].reduce((a, b) => a + b, 0)} done, ` +
    `${refreshes} refreshes (${version - 1} versions of the grant), p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms\n`,
);
for (const [what, count] of failures) process.stdout.write(`${count} × ${what}\n`);
// A token is renewed a tenth to a fifth of its life before its end.
const most = Math.ceil(tookS / (LIFE_S * 0.8)) + 1;
if (failures.size > 0 || refreshes !== version - 1 || refreshes > most) process.exitCode = 1;

for (const { child, ended } of processes) {
  child.kill();
  await ended;
}
await fake.close();
await database.close();
await drop();
await postgres.stop();
