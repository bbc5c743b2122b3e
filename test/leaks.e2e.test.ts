import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { createLog } from '#core/log.ts';
import { OTHER_PASSWORD, PASSWORD } from './email-stand.ts';
import { purposeFor } from './purpose.ts';
import { until } from './until.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld, type World } from './world.ts';

/** A walk with a secret in every place where one enters, and a look at all that is left of it: logs, rows, traces, metrics, the export, refusals. */

const EMAIL = 'ada@example.org';
const lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });

type Json = Record<string, unknown> & { user: { id: string }; challenge_id: string; message: string };
const refusals: string[] = [];

async function ask(world: World, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, {
    method,
    headers: { ...defined({ 'content-type': body === undefined ? undefined : 'application/json' }), ...headers },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) refusals.push(text);
  return { status: answer.status, text, body: JSON.parse(text) as Json };
}

/** The token of the mail that holds this kind of link. */
async function mailed(world: World, kind: string): Promise<string> {
  const outbox = `${world.data_dir}/outbox`;
  return until(`an email with a link to ${kind}`, async () => {
    for (const name of (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))) {
      const token = new RegExp(`#${kind}=(\\S+)`).exec(await readFile(`${outbox}/${name}`, 'utf8'))?.[1];
      if (token !== undefined) return token;
    }
    return null;
  });
}

async function everyRow({ database: { db } }: World): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(db);
  const tables = await Promise.all(rows.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(db)));
  return JSON.stringify(tables.map((table) => table.rows));
}

/** Refuses whatever it is asked, and says all of it back: the worst that a provider can do with a key. */
async function startMirror() {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const said = `${request.url} ${JSON.stringify(request.headers)} ${await textOf(request)}`;
    seen.push(said);
    response.writeHead(request.url?.includes('/mcp') === true ? 401 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: said, type: 'invalid' }, message: said }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
    },
  };
}

/** Secrets of the operator, for all that is asked elsewhere. */
const CANARIES = {
  CAPSTAN_LLM_KEY: 'canary-llm-9f2c41aa',
  CAPSTAN_PROVIDER_SMITHERY_KEY: 'canary-provider-77d0e1bb',
  CAPSTAN_GOOGLE_CLIENT_SECRET: 'canary-google-51c2f3cc',
  CAPSTAN_METRICS_TOKEN: 'canary-metrics-3b8a94dd',
};

const FIELDS = new Set(
  [...readFileSync('docs/guides/logs.md', 'utf8').matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((part) => part.replaceAll('`', '')),
  ),
);

test('no password, token, key or emailed link appears in a log, a row, an export or an error', async () => {
  await using mirror = await startMirror();
  const elsewhere = {
    CAPSTAN_LLM_URL: `${mirror.url}/v1`,
    CAPSTAN_LLM_MODELS: 'fake',
    CAPSTAN_LLM_RETRIES: '0',
    CAPSTAN_PROVIDERS: 'smithery',
    CAPSTAN_PROVIDER_SMITHERY_URL: mirror.url,
    CAPSTAN_GOOGLE_CLIENT_ID: 'it',
  };
  await using world = await openWorld({ ...CANARIES, ...elsewhere }, 'serve', systemClock, log);
  const wallet = ethereumWallet();
  const secrets: string[] = [PASSWORD, OTHER_PASSWORD, ...Object.values(CANARIES)];
  const keep = (accessToken: unknown): string => secrets[secrets.push(accessToken as string) - 1] as string;
  const asWallet = { wallet_type: wallet.wallet_type, wallet_address: wallet.address };
  const signed = async (request: string, headers: Record<string, string>, sent?: Record<string, unknown>) => {
    const asked = { ...asWallet, purpose: purposeFor(request, sent) };
    const { body } = await ask(world, 'POST', '/api/wallets/challenge', asked, headers);
    return { challenge_id: body.challenge_id, signature: keep(await wallet.sign(body.message)) };
  };
  const email = (path: string, body: object, headers = {}) =>
    ask(world, 'POST', `/api/auth/email/${path}`, body, headers);

  await email('register', { email: EMAIL, password: PASSWORD });
  const verify = keep(await mailed(world, 'verify'));
  const { body: opened } = await email('verify', { token: verify, password: PASSWORD });
  await email('verify', { token: verify, password: PASSWORD });
  await email('login', { email: EMAIL, password: OTHER_PASSWORD });
  const bearer = { authorization: `Bearer ${keep(opened.access_token)}` };
  const stepUp = async (request: string, sent?: Record<string, unknown>) => {
    const { challenge_id, signature } = await signed(request, bearer, sent);
    return { ...bearer, 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
  };
  const link = { ...(await signed('POST /api/auth/wallets', bearer)), wallet_address: wallet.address };
  assert.equal((await ask(world, 'POST', '/api/auth/wallets', link, bearer)).status, 200);
  await ask(world, 'POST', '/api/wallets/verify', link);
  const own = `/api/users/${opened.user.id}`;
  const wanted = { name: 'k', scopes: ['read'] };
  const make = async () =>
    ask(world, 'POST', `${own}/api-keys`, wanted, {
      ...(await stepUp(`POST ${own}/api-keys`, wanted)),
      'idempotency-key': 'k',
    });
  keep((await make()).body.key);
  assert.equal((await make()).body.key, secrets.at(-2));
  await email(
    'password',
    { current_password: OTHER_PASSWORD, new_password: PASSWORD },
    await stepUp('POST /api/auth/email/password'),
  );
  const { body: refreshed } = await ask(world, 'POST', '/api/auth/refresh', undefined, bearer);
  const exported = await ask(world, 'GET', `${own}/export`, undefined, await stepUp(`GET ${own}/export`));
  assert.equal(exported.status, 200);
  keep(refreshed.access_token);
  await email('reset/request', { email: EMAIL });
  const reset = keep(await mailed(world, 'reset'));
  assert.equal((await email('reset', { token: reset, password: OTHER_PASSWORD })).status, 200);

  const canary = (place: string) => keep(`canary-${place}-${secrets.length}e5f0`);
  const signedIn = {
    authorization: `Bearer ${keep((await email('login', { email: EMAIL, password: OTHER_PASSWORD })).body.access_token)}`,
  };
  const connection = await ask(world, 'POST', '/api/sessions/connections', { url: `${mirror.url}/mcp` }, signedIn);
  assert.equal(connection.status, 201, connection.text);
  const at = `/api/sessions/connections/${connection.body.id}`;
  const { challenge_id, signature } = await signed(`PUT ${at}/credentials`, signedIn);
  const proven = { ...signedIn, 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
  await ask(world, 'PUT', `${at}/credentials`, { type: 'bearer', token: canary('credential') }, proven);
  await ask(world, 'POST', `${at}/tools/call`, { tool: 'any', arguments: {} }, signedIn);
  const chat = await ask(world, 'POST', '/api/agents/core-agent/chat', { message: 'hello' }, signedIn);
  assert.equal(chat.status, 502, chat.text);
  const code = `code=${canary('code')}&state=${canary('state')}`;
  for (const [method, path, headers] of [
    ['GET', `/api/auth/google/callback?${code}`, { cookie: `__Host-capstan=${canary('cookie')}` }],
    ['GET', `/api/sessions/oauth/callback?${code}`, {}],
    ['GET', `/api/marketplace/registry?limit=${canary('limit')}&token=${canary('query')}`, {}],
    ['GET', '/api/auth/session', { authorization: `Bearer ${canary('bearer')}` }],
    ['GET', '/api/auth/session', { authorization: `Bearer cap_${canary('key').replaceAll('-', '')}` }],
    ['GET', '/metrics', { authorization: `Bearer ${canary('scraper')}` }],
    ['POST', '/oauth/token', { authorization: `Basic ${canary('basic')}`, 'content-type': 'text/plain' }],
  ] as [string, string, Record<string, string>][])
    refusals.push(await (await world.fetch(path, { method, headers })).text());
  await ask(world, 'POST', '/api/auth/email/login', { email: EMAIL, password: [canary('shape')] });
  const metrics = await world.fetch('/metrics', {
    headers: { authorization: `Bearer ${CANARIES.CAPSTAN_METRICS_TOKEN}` },
  });
  await until('the failed sync', () => lines.some((line) => line.includes('Smithery: sync failed')));
  const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))));
  assert.deepEqual(
    [...fields].filter((field) => !FIELDS.has(field)),
    [],
    'fields that docs/guides/logs.md does not tell of',
  );
  await world.fetch(`/api/traces/${chat.body.trace_id ?? '0'.repeat(32)}`, { headers: signedIn });

  for (const sent of ['canary-llm', 'canary-provider', 'canary-credential'])
    assert.ok(
      mirror.seen.some((text) => text.includes(sent)),
      `${sent} was not even sent`,
    );

  const places = {
    metrics: await metrics.text(),
    logs: lines.join(''),
    rows: await everyRow(world),
    export: exported.text,
    refusals: refusals.join(),
  };
  assert.ok(Object.values(places).every((place) => place.length > 500) && secrets.length > 10);
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} stands in the ${place}`);
});
