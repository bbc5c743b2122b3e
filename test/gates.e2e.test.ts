import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPERATIONS } from '#app/contract.ts';
import { defined } from '#core/defined.ts';
import { exampleRequest } from '#core/http/example-request.ts';
import { accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** The real gates of the real app: limits, repetitions, other sites' pages, and cookies. */

const APP = 'https://app.example';
const world = await openWorld({ CAPSTAN_ALLOWED_ORIGINS: APP });
after(() => world.close());
const accounts = await accountsOf(world);

const guarded = OPERATIONS.filter((operation) => operation.access !== 'public' && operation.access !== 'optional');

test('a token in a cookie does not authenticate API requests: 401 from every guarded operation', async () => {
  const { token } = await accounts.signUp({ wallet: false });
  assert.ok(guarded.length > 10);
  for (const operation of guarded) {
    const { method, target, body } = exampleRequest(operation);
    const cookie = ['__Host-capstan', '__Host-token', 'token', 'access_token', 'Authorization', 'authorization']
      .map((name) => `${name}=${token}`)
      .join('; ');
    const headers = { cookie, origin: APP, 'content-type': 'application/json' };
    const answer = await world.fetch(target, { method, headers, ...defined({ body: body ?? undefined }) });
    assert.equal(answer.status, 401, operation.id);
    const said = (await answer.json()) as { code?: string; error?: { data?: { code: string } } };
    assert.equal(said.code ?? said.error?.data?.code, 'auth.token_required', operation.id);
    assert.equal(answer.headers.get('access-control-allow-origin'), APP);
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
  }
});

test('repeating a request with the same Idempotency-Key creates one API key', async () => {
  const { user, token, stepUp } = await accounts.signUp();
  const make = async (body: object) =>
    world.fetch(`/api/users/${user.id}/api-keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
        ...(await stepUp()),
      },
      body: JSON.stringify(body),
    });
  const first = await make({ name: 'mine', scopes: ['read'] });
  const again = await make({ name: 'mine', scopes: ['read'] });
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')],
    [null, 'true'],
  );
  assert.equal(await again.text(), await first.text());
  assert.equal((await make({ name: 'other', scopes: ['read'] })).status, 422);
  const kept = await world.database.db.selectFrom('api_keys').select('name').where('user_id', '=', user.id).execute();
  assert.deepEqual(kept, [{ name: 'mine' }]);
});

test('a CORS preflight of a guarded operation succeeds only for allowed origins', async () => {
  const ask = (origin: string) =>
    world.fetch('/api/users/x/api-keys', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  const allowed = await ask(APP);
  assert.deepEqual([allowed.status, allowed.headers.get('access-control-allow-origin')], [204, APP]);
  assert.match(allowed.headers.get('access-control-allow-methods') ?? '', /POST/);
  assert.equal((await ask('https://evil.example')).headers.get('access-control-allow-origin'), null);
});

test('429: the limit of an address cannot be evaded with X-Forwarded-For', async () => {
  const nowMs = Date.now();
  await using limited = await openWorld({ CAPSTAN_LIMIT_WALLET: '5/1h' }, 'quiet', { now: () => nowMs });
  const ask = (n: number) =>
    limited.fetch('/api/wallets/challenge', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${n}` },
      body: '{"wallet_type":"ethereum","wallet_address":"0x52908400098527886E0F7030069857D2E4169EE7"}',
    });
  for (let n = 0; n < 5; n++) {
    const answer = await ask(n);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"wallet";r=${4 - n};t=\\d+$`));
    assert.equal(answer.headers.get('ratelimit-policy'), '"wallet";q=5;w=3600');
  }
  const refused = await ask(5);
  assert.equal(refused.status, 429);
  assert.equal(((await refused.json()) as { code: string }).code, 'http.limit_exceeded');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});
