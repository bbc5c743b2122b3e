import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runDoctor } from '#app/commands/doctor.ts';
import { gatherChecks } from '#app/commands/doctor-checks.ts';
import { readProgramConfig, SETTINGS } from '#app/settings.ts';
import { flatten } from '#core/config/config.ts';
import { cleanerOf } from '#core/doctor/clean.ts';
import { levelOf } from '#core/doctor/report.ts';
import { type CheckResult, runChecks } from '#core/doctor/run-checks.ts';
import { answering } from './doctor-stand.ts';
import { freePort } from './free-port.ts';
import { copySqlite } from './migrated.ts';

/** `capstand doctor` as a whole, beside a service that runs, and where nothing is as it should be. */

/** All but the longest, which has a separate test. */
async function look(env: Record<string, string>): Promise<CheckResult[]> {
  const config = readProgramConfig(env);
  const { checks, close } = await gatherChecks(config, env);
  const chosen = checks.filter(({ name }) => name !== 'sandbox' && name !== 'packages');
  const looked = await runChecks(chosen, { timeout_ms: 5_000, clean: cleanerOf(SETTINGS, config) });
  await close();
  return looked;
}

const levelsOf = (looked: CheckResult[]) =>
  Object.fromEntries(looked.map(({ name, findings }) => [name, findings.map((finding) => finding.level).join(' ')]));

const DATA_DIR = await mkdtemp(join(tmpdir(), 'capstan-doctor-'));
after(() => rm(DATA_DIR, { recursive: true }));

test('a healthy installation that is not running passes every check', async () => {
  await copySqlite(join(DATA_DIR, 'capstan.db'));
  const looked = await look({ DATA_DIR, CAPSTAN_PROVIDERS: 'off', PORT: `${await freePort()}` });
  assert.deepEqual(
    looked.map((entry) => entry.name),
    [
      'node',
      'limits',
      'database',
      'migrations',
      'setting files',
      'secret key',
      'token keys',
      'receipt keys',
      'clock',
      'disk',
      'service',
      'PUBLIC_URL',
      'egress',
      'providers',
      'storage',
      'jobs',
      'models',
      'search models',
      'mail',
      'collector',
    ],
  );
  assert.notEqual(levelOf(looked), 'fail', JSON.stringify(looked));
  for (const { findings } of looked)
    assert.ok(findings.every((finding) => finding.level === 'ok' || finding.fix !== undefined));
});

test('an invalid setting is reported, and the checks that do not need the settings still run', async () => {
  let text = '';
  const stdout = { write: (chunk: string | Uint8Array) => (text += chunk) };
  const code = await runDoctor([], { stdout }, { CAPSTAN_SYNC_INTERVAL_S: '5', DATA_DIR });
  assert.equal(code, 1);
  assert.match(text, /^fail {2}settings .*Did you mean CAPSTAN_SYNC_INTERVAL\?.*\n.*→ .*\nok {4}node /);
});

test('with an unreachable database and rejected secrets, reports each failure without printing a secret', async () => {
  await using echo = await answering(({ headers }, response) =>
    response.writeHead(401).end(`what is ${headers.authorization ?? headers['x-api-key']}?`),
  );
  const secret = (name: string) => `hunter2-${name}`;
  const all = flatten(SETTINGS).filter((setting) => setting.secret);
  const env: Record<string, string> = {
    ...Object.fromEntries(all.map(({ name }) => [name, secret(name)])),
    DATA_DIR,
    NODE_ENV: 'production',
    CAPSTAN_PROVIDERS: 'off',
    PORT: `${await freePort()}`,
    CAPSTAN_SECRET_KEY: `hunter2-${'x'.repeat(40)}`,
    DATABASE_URL: `postgres://ada:${secret('DATABASE%5FURL')}@127.0.0.1:9/capstan`,
    CAPSTAN_SMTP_URL: `smtp://ada:${secret('SMTP')}@127.0.0.1:9`,
    CAPSTAN_ETHEREUM_RPC_URL: `https://node.example/${secret('RPC')}`,
    CAPSTAN_OTLP_HEADERS: `x-api-key=${secret('OTLP')}`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${secret('OTEL')}`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-api-key=${secret('TRACES')}`,
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: `x-api-key=${secret('METRICS')}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: echo.url,
    CAPSTAN_OAUTH_CLIENTS: JSON.stringify([
      { issuer: 'https://a.example', client_id: 'a', client_secret: secret('a'), servers: ['https://mcp.example'] },
    ]),
    CAPSTAN_OPENAI_URL: echo.url,
    CAPSTAN_ANTHROPIC_URL: echo.url,
    CAPSTAN_GOOGLE_URL: echo.url,
    CAPSTAN_LLM_URL: echo.url,
    CAPSTAN_EMBEDDINGS_URL: echo.url,
    CAPSTAN_RERANK_URL: echo.url,
  };
  const looked = await look(env);
  assert.equal(levelOf(looked), 'fail');
  assert.doesNotMatch(JSON.stringify(looked), /hunter2/);
  const levels = levelsOf(looked);
  for (const name of ['database', 'secret key', 'mail', 'models', 'search models', 'collector'])
    assert.match(levels[name] as string, /fail/, name);
  for (const name of ['migrations', 'jobs', 'providers', 'PUBLIC_URL']) assert.equal(levels[name], 'warn', name);
});
