import { createServer } from 'node:net';
import type { CheckResult } from '#core/doctor/run-checks.ts';
import { postgresConfig } from '../databases.ts';
import { freePort } from '../free-port.ts';
import { startPostgres } from '../postgres.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- doctor`: the program itself, with the sandbox: on each engine before the first start, beside the
 * service, and after it; against a database that accepts connections and never responds. It must end on time.
 */
const MOST_MS = 9_000;
let failed = 0;

async function doctor(what: string, env: Record<string, string>, wanted: Record<string, RegExp>): Promise<void> {
  const started = performance.now();
  const { code, stdout, stderr } = await capstand(['doctor', '--json'], env).ended;
  const tookMs = performance.now() - started;
  const { level, checks } = JSON.parse(stdout) as { level: string; checks: CheckResult[] };
  const amiss = Object.entries(wanted).filter(([name, said]) => {
    const findings = checks.find((check) => check.name === name)?.findings ?? [];
    return !findings.some((finding) => said.test(`${finding.level}: ${finding.seen}`));
  });
  const isFit = amiss.length === 0 && tookMs < MOST_MS && code === (level === 'fail' ? 1 : 0) && stderr === '';
  process.stdout.write(`${isFit ? 'ok' : 'NOT OK'}  ${what}: ${level} in ${(tookMs / 1_000).toFixed(1)} s\n`);
  if (isFit) return;
  failed++;
  process.stdout.write(`${JSON.stringify({ amiss: amiss.map(String), code, stderr, checks }, null, 2)}\n`);
}

async function onEngine(engine: string, database: Record<string, string>): Promise<void> {
  const env = { ...database, DATA_DIR: await freshDir(), PORT: `${await freePort()}` };
  const sandbox = /ok: A script ran under Python|warn: A script under Python did not end/;
  await doctor(`${engine}, before the first start`, env, { service: /Not running/, sandbox });
  const service = capstand(['serve'], env);
  await service.url();
  await doctor(`${engine}, beside the service`, env, { service: /ok: It runs/, migrations: /^ok: All/, sandbox });
  service.child.kill();
  await service.ended;
  await doctor(`${engine}, after it`, env, { service: /Not running/, migrations: /^ok: All/ });
}

await onEngine('SQLite', {});
const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
const { config, drop } = await postgresConfig();
await onEngine('PostgreSQL', { DATABASE_URL: config.engine === 'postgres' ? config.url : '' });
await drop();
await postgres.stop();

const silent = createServer(() => {});
const port = await freePort();
await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
const env = { DATA_DIR: await freshDir(), DATABASE_URL: `postgres://ada:hunter2@127.0.0.1:${port}/capstan` };
await doctor('a database that says nothing', env, { database: /^fail/, migrations: /^warn: Not looked at|^fail/ });
process.exit(failed === 0 ? 0 : 1);
