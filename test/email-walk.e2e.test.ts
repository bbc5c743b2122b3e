import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { PASSWORD } from './email-stand.ts';
import { type MailServer, startMailServer } from './fakes/mail-server.ts';
import { until } from './until.ts';
import { openWorld, type World } from './world.ts';

/** Signing in by email against the whole program and a real mail server. */

const post = (world: World, path: string, body: unknown, headers: Record<string, string> = {}) =>
  world.fetch(`/api/auth/email${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function mailed(server: MailServer): Promise<string> {
  const { raw } = await until('an email', () => server.received.shift());
  return /#\w+=([\w-]{43})\r\n/.exec(raw)?.[1] as string;
}

test('an email queued by a process that stopped is sent by the next process, and its link verifies the account', async () => {
  await using server = await startMailServer({ tls: 'none', login: { user: 'capstan', password: 'mail-secret' } });
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'capstan-mail-'));
  const url = `smtp://capstan:mail-secret@127.0.0.1:${server.port}`;
  const env = { DATA_DIR, CAPSTAN_SMTP_URL: url, CAPSTAN_MAIL_FROM: 'Capstan <no-reply@capstan.example>' };
  try {
    const first = await openWorld(env, 'quiet');
    assert.equal((await post(first, '/register', { email: 'ada@example.org', password: PASSWORD })).status, 202);
    await first.close();
    assert.deepEqual(server.received, []);
    await using second = await openWorld(env, 'serve');
    const token = await mailed(server);
    assert.equal((await post(second, '/verify', { token, password: PASSWORD })).status, 200);
    const login = await post(second, '/login', { email: 'ada@example.org', password: PASSWORD });
    const { access_token } = (await login.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    assert.equal((await second.fetch('/api/auth/session', { headers })).status, 200);
  } finally {
    await rm(DATA_DIR, { recursive: true, force: true });
  }
});

/** Whatever the machine takes for it, no minute turns between the first request and the last. */
const nowMs = Date.now();
const still = { now: () => nowMs };

test('429: limits email requests per network, whatever addresses they name', async () => {
  await using world = await openWorld({ CAPSTAN_LIMIT_EMAIL: '3/1m' }, 'quiet', still);
  const statuses = [];
  for (let index = 0; index < 5; index++)
    statuses.push((await post(world, '/login', { email: `${index}@example.org`, password: PASSWORD })).status);
  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
});

test('429: the limit also applies to a signed-in user who links email addresses', async () => {
  await using world = await openWorld({ CAPSTAN_LIMIT_EMAIL: '3/1m' }, 'quiet', still);
  const { token } = await (await accountsOf(world, still)).signUp({ wallet: false });
  const headers = { authorization: `Bearer ${token}` };
  const statuses = [];
  for (let index = 0; index < 4; index++)
    statuses.push((await post(world, '', { email: `${index}@example.org`, password: PASSWORD }, headers)).status);
  assert.deepEqual(statuses, [202, 202, 202, 429]);
});
