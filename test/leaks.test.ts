import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { OTHER_PASSWORD, PASSWORD } from './email-stand.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld, type World } from './world.ts';

/** A whole walk through identity, with a look at everything that is left of it: logs, rows, the export, refusals. */

const EMAIL = 'ada@example.org';
const lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });

type Json = Record<string, unknown> & { user: { id: string }; challenge_id: string; message: string };
const refusals: string[] = [];

async function ask(world: World, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) refusals.push(text);
  return { status: answer.status, text, body: JSON.parse(text) as Json };
}

/** The token of the mail that holds this kind of link. */
async function mailed(world: World, kind: string): Promise<string> {
  const outbox = `${world.data_dir}/outbox`;
  for (let tries = 0; tries < 200; tries++) {
    for (const name of (await readdir(outbox).catch(() => [])).filter((it) => it.endsWith('.eml'))) {
      const token = new RegExp(`#${kind}=(\\S+)`).exec(await readFile(`${outbox}/${name}`, 'utf8'))?.[1];
      if (token !== undefined) return token;
    }
    await sleep(50);
  }
  throw new Error(`no mail with a link to ${kind}`);
}

async function everyRow({ database: { db } }: World): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(db);
  const tables = await Promise.all(rows.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(db)));
  return JSON.stringify(tables.map((it) => it.rows));
}

test('no password, token, key or link stands in a log, a row, an export or a refusal', async () => {
  await using world = await openWorld({}, 'serve', systemClock, log);
  const wallet = ethereumWallet();
  const secrets: string[] = [PASSWORD, OTHER_PASSWORD];
  const keep = (it: unknown): string => secrets[secrets.push(it as string) - 1] as string;
  const asWallet = { wallet_type: wallet.wallet_type, wallet_address: wallet.address };
  const signed = async () => {
    const { body } = await ask(world, 'POST', '/api/wallets/challenge', asWallet);
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
  const stepUp = async () => {
    const { challenge_id, signature } = await signed();
    return { ...bearer, 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
  };
  const link = { ...(await signed()), wallet_address: wallet.address };
  assert.equal((await ask(world, 'POST', '/api/auth/wallets', link, bearer)).status, 200);
  await ask(world, 'POST', '/api/wallets/verify', link);
  const own = `/api/users/${opened.user.id}`;
  const make = async () =>
    ask(
      world,
      'POST',
      `${own}/api-keys`,
      { name: 'k', scopes: ['read'] },
      { ...(await stepUp()), 'idempotency-key': 'k' },
    );
  keep((await make()).body.key);
  assert.equal((await make()).body.key, secrets.at(-2));
  await email('password', { current_password: OTHER_PASSWORD, new_password: PASSWORD }, await stepUp());
  const { body: refreshed } = await ask(world, 'POST', '/api/auth/refresh', undefined, bearer);
  const exported = await ask(world, 'GET', `${own}/export`, undefined, await stepUp());
  assert.equal(exported.status, 200);
  keep(refreshed.access_token);
  await email('reset/request', { email: EMAIL });
  const reset = keep(await mailed(world, 'reset'));
  assert.equal((await email('reset', { token: reset, password: OTHER_PASSWORD })).status, 200);

  const places = {
    logs: lines.join(''),
    rows: await everyRow(world),
    export: exported.text,
    refusals: refusals.join(),
  };
  assert.ok(Object.values(places).every((it) => it.length > 500) && secrets.length > 10);
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} stands in the ${place}`);
});
