import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '#core/db/schema.ts';
import { foldDeltas } from '#core/storage/count.ts';
import { eachDatabase, type OpenTestDatabase } from '#test/databases.ts';
import { purposeFor } from '#test/purpose.ts';
import { ethereumWallet, solanaWallet, type TestWallet } from '#test/wallet-keys.ts';
import { openWorld, type World } from '#test/world.ts';

/** The life of an account on the real service, from its first sign-in to its deletion. */

interface Sent {
  bearer?: string;
  body?: unknown;
  /** Signs a new challenge for this request. */
  wallet?: TestWallet;
  headers?: Record<string, string>;
}
interface Body {
  [field: string]: unknown;
}

async function send(world: World, method: string, path: string, sent: Sent = {}) {
  const headers: Record<string, string> = { ...sent.headers };
  if (sent.bearer !== undefined) headers.authorization = `Bearer ${sent.bearer}`;
  if (sent.body !== undefined) headers['content-type'] = 'application/json';
  if (sent.wallet !== undefined)
    Object.assign(headers, await proof(world, sent.wallet, `${method} ${path}`, sent.bearer, sent.body as Body));
  const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
  const answer = await world.fetch(path, { method, headers, ...body });
  return { status: answer.status, body: (await answer.json()) as Body };
}

async function challenge(world: World, { wallet_type, address: wallet_address }: TestWallet) {
  const { status, body } = await send(world, 'POST', '/api/wallets/challenge', {
    body: { wallet_address, wallet_type },
  });
  assert.ok(status < 300, JSON.stringify(body));
  return body as { challenge_id: string; message: string };
}

async function proof(world: World, wallet: TestWallet, request: string, bearer = '', fields?: Body) {
  const purpose = purposeFor(request, fields);
  const asked = { wallet_address: wallet.address, wallet_type: wallet.wallet_type, purpose };
  const { status, body } = await send(world, 'POST', '/api/wallets/challenge', { bearer, body: asked });
  // A deleted account gets no challenge; the request then reports that.
  if (status !== 200) return {};
  const { challenge_id, message } = body as { challenge_id: string; message: string };
  return { 'x-challenge-id': challenge_id, 'x-wallet-signature': await wallet.sign(message) };
}

async function signIn(world: World, wallet: TestWallet) {
  const { challenge_id, message } = await challenge(world, wallet);
  const verify = { challenge_id, signature: await wallet.sign(message), wallet_address: wallet.address };
  const { status, body } = await send(world, 'POST', '/api/wallets/verify', { body: verify });
  assert.equal(status, 200, JSON.stringify(body));
  const { access_token, user } = body as unknown as { access_token: string; user: { id: string } };
  return { wallet, bearer: access_token, id: user.id, path: `/api/users/${user.id}` };
}

async function openOn(open: OpenTestDatabase): Promise<World> {
  const { config } = await open();
  return openWorld(config.engine === 'postgres' ? { DATABASE_URL: config.url } : {});
}

/** The tables that contain the text, with the number of rows. */
async function tracesOf({ database: { db } }: World, text: string): Promise<Record<string, number>> {
  const traces: Record<string, number> = {};
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    const found = rows.filter((row) => JSON.stringify(row).includes(text)).length;
    if (found > 0) traces[name] = found;
  }
  return traces;
}

eachDatabase('an account', (open) => {
  test('signs in, uses an API key, exports its data, and leaves only audit entries when deleted', async () => {
    await using world = await openOn(open);
    const { wallet, bearer, id, path } = await signIn(world, ethereumWallet());
    const other = await signIn(world, solanaWallet());
    const own = await send(world, 'GET', path, { bearer, wallet });
    assert.deepEqual([own.status, own.body.id, own.body.tier], [200, id, 'free']);
    assert.equal((await send(world, 'GET', path, { bearer })).status, 401);

    const order = { bearer, body: { name: 'build', scopes: ['read'] }, headers: { 'idempotency-key': 'once' } };
    const made = await send(world, 'POST', `${path}/api-keys`, { ...order, wallet });
    const again = await send(world, 'POST', `${path}/api-keys`, { ...order, wallet });
    assert.deepEqual([made.status, again], [201, made]);
    const key = `${made.body.key}`;
    assert.deepEqual(await tracesOf(world, key.slice(8)), {});
    assert.equal((await send(world, 'GET', '/api/auth/session', { bearer: key })).status, 200);
    const wider = { bearer: key, wallet, body: { name: 'x', scopes: ['write'] } };
    assert.equal((await send(world, 'POST', `${path}/api-keys`, wider)).status, 403);

    const out = await send(world, 'GET', `${path}/export`, { bearer, wallet });
    assert.equal(out.status, 200);
    assert.ok(!JSON.stringify(out.body).includes(key.slice(8)));
    const counts = ['api_keys', 'sign_ins', 'idempotency_keys'].map((key) => (out.body[key] as unknown[]).length);
    assert.deepEqual(counts, [1, 1, 1]);

    assert.equal((await send(world, 'DELETE', path, { bearer, wallet })).status, 200);
    for (const credential of [bearer, key])
      assert.equal((await send(world, 'GET', '/api/auth/session', { bearer: credential })).status, 401);
    assert.deepEqual(
      [Object.keys(await tracesOf(world, id)), await tracesOf(world, wallet.address)],
      [['audit_log'], {}],
    );
    const look = { wallet_address: wallet.address, wallet_type: wallet.wallet_type };
    const gone = await send(world, 'POST', '/api/users/lookup', { ...other, body: look });
    assert.deepEqual([gone.status, gone.body.code], [404, 'users.not_found']);
    assert.notEqual((await signIn(world, wallet)).id, id);
  });

  test('deleted during its own requests: each succeeds or reports the deletion, without a 500', async () => {
    await using world = await openOn(open);
    const { wallet, bearer, id, path } = await signIn(world, ethereumWallet());
    const body = { name: 'build', scopes: ['read', 'write'] };
    const made = await send(world, 'POST', `${path}/api-keys`, { bearer, wallet, body });
    const key = `${made.body.key}`;
    const round = () => [
      send(world, 'GET', '/api/auth/session', { bearer }),
      send(world, 'GET', '/api/auth/session', { bearer: key }),
      send(world, 'POST', '/api/auth/refresh', { bearer }),
      send(world, 'POST', `${path}/api-keys`, { bearer: key, wallet, body, headers: { 'idempotency-key': 'once' } }),
      send(world, 'GET', `${path}/export`, { bearer, wallet }),
      signIn(world, wallet).then(
        () => ({ status: 200 }),
        (error: Error) => ({ status: /"status":(\d+)/.exec(error.message)?.[1] ?? error.message }),
      ),
    ];
    const going = send(world, 'DELETE', path, { bearer, wallet });
    const answers = await Promise.all([...round(), going, ...round(), ...round()]);
    const odd = answers
      .map((answer) => Number(answer.status))
      .filter((value) => ![200, 201, 401, 403, 404, 409, 429].includes(value));
    assert.deepEqual(odd, []);
    assert.equal((await going).status, 200);
    const [session, byKey] = await Promise.all(round());
    assert.deepEqual([session?.status, byKey?.status], [401, 401]);
    // Changes concurrent with the deletion may be pending; the recurring job drops them.
    if (world.database.engine === 'postgres') await foldDeltas(world.database.db);
    assert.deepEqual(Object.keys(await tracesOf(world, id)), ['audit_log']);
  });
});
