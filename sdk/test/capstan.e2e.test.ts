import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from '../../test/accounts.ts';
import { ethereumWallet, solanaWallet } from '../../test/wallet-keys.ts';
import { openWorld } from '../../test/world.ts';
import { CapstanError, createCapstan, every, type TaskEvent, verifyBundle } from '../src/index.ts';

/** The client against the real service over a real socket. */

/** Of the service; the client has the machine's. */
const clock = { behind_ms: 0, now: () => Date.now() - clock.behind_ms };
const world = await openWorld({}, 'serve', clock);
after(() => world.close());
const { url } = await world.listen();
const anyone = createCapstan({ base_url: url });

async function failureOf(call: Promise<unknown>): Promise<CapstanError> {
  const error = await call.then(
    () => assert.fail('it was answered'),
    (error) => error,
  );
  assert.ok(error instanceof CapstanError, `${error}`);
  return error;
}

for (const wallet of [ethereumWallet(), solanaWallet()])
  test(`an account with a ${wallet.wallet_type} wallet signs in, creates an API key and signs out`, async () => {
    const kept: (string | null)[] = [];
    const capstan = createCapstan({ base_url: url, signer: wallet, on_token: (text) => kept.push(text) });
    const { user, access_token } = await capstan.signInWithWallet();
    assert.deepEqual([kept, capstan.token], [[access_token], access_token]);
    assert.equal((await capstan.signIns.getCurrent()).user.id, user.id);
    const made = await capstan.apiKeys.create({ id: user.id, body: { name: 'ci', scopes: ['read'] } });
    const keys = await capstan.apiKeys.list({ id: user.id });
    assert.deepEqual(
      keys.items.map((item) => item.name),
      ['ci'],
    );
    const machine = createCapstan({ base_url: url, token: made.key });
    assert.deepEqual((await machine.tasks.list()).items, []);
    await capstan.signOut();
    assert.equal(capstan.token, null);
    assert.equal((await failureOf(capstan.signIns.getCurrent())).code, 'auth.token_required');
  });

test('a call that needs a signature throws auth.signature_required unless it gets a signer', async () => {
  const wallet = ethereumWallet();
  const capstan = createCapstan({ base_url: url });
  const { user } = await capstan.signInWithWallet(wallet);
  const error = await failureOf(capstan.users.export({ id: user.id }));
  assert.deepEqual([error.status, error.kind, error.code], [401, 'signature_required', 'auth.signature_required']);
  assert.ok(await capstan.users.export({ id: user.id }, { signer: wallet }));
  const headers = { ...(await capstan.stepUp('accounts.users.get', { id: user.id }, wallet)) };
  assert.equal((await capstan.users.get({ id: user.id }, { headers })).id, user.id);
  assert.match((await failureOf(capstan.stepUp('accounts.users.get', { id: user.id }))).detail, /Pass a `signer`/);
});

test('linkProof() links a second wallet, whose signatures then confirm calls of the account', async () => {
  const [first, second] = [ethereumWallet(), solanaWallet()];
  const capstan = createCapstan({ base_url: url, signer: first });
  const { user } = await capstan.signInWithWallet();
  await capstan.wallets.link({ body: await capstan.linkProof(second) });
  assert.equal((await capstan.users.get({ id: user.id }, { signer: second })).id, user.id);
});

test('with refresh: true, two concurrent calls renew an old token once before they are sent', async () => {
  const accounts = await accountsOf(world, clock);
  clock.behind_ms = 23.5 * 3_600_000;
  const account = await accounts.signUp();
  clock.behind_ms = 0;
  const fresh = await account.signIn();
  const asked: string[] = [];
  const capstan = createCapstan({
    base_url: url,
    token: fresh.access_token,
    refresh: true,
    fetch: (address, init) => {
      asked.push(new URL(address).pathname);
      return fetch(address, init);
    },
  });
  await capstan.signIns.getCurrent();
  assert.deepEqual(asked, ['/api/auth/session']);
  capstan.setToken(account.token);
  const [session] = await Promise.all([capstan.signIns.getCurrent(), capstan.tasks.list()]);
  assert.equal(session.user.id, account.user.id);
  assert.equal(asked.filter((text) => text === '/api/auth/refresh').length, 1);
  assert.notEqual(capstan.token, account.token);
});

test('tasks.watch() streams the events of a task until it completes, and its receipt verifies', async () => {
  const capstan = createCapstan({ base_url: url });
  await capstan.signInWithWallet(ethereumWallet());
  const input = { before: { a: 1 }, after: { a: 2 } };
  const { id } = await capstan.tasks.create({ body: { capability: { kind: 'skill', ref: 'json-diff' }, input } });
  await capstan.tasks.start({ id });
  const events: TaskEvent[] = [];
  for await (const event of capstan.tasks.watch({ id })) events.push(event);
  const ids = events.map((event) => Number(event.id));
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  );
  const last = events.at(-1);
  assert.ok(last?.event === 'status' && last.data.status === 'completed');
  assert.ok(events.some((event) => event.event === 'output' && event.data.text.includes('replace')));
  // From the middle on, and of a task that has ended, nothing comes twice and nothing waits.
  const rest: string[] = [];
  const from = { headers: { 'last-event-id': ids.at(-2) as unknown as string } };
  for await (const event of capstan.tasks.watch(
    { id },
    { headers: { 'last-event-id': `${from.headers['last-event-id']}` } },
  ))
    rest.push(event.id);
  assert.deepEqual(rest, [`${ids.at(-1)}`]);
  for await (const _ of capstan.tasks.watch({ id }, { headers: { 'last-event-id': `${ids.at(-1)}` } })) assert.fail();

  const { receipt_id } = await capstan.tasks.get({ id });
  const bundle = await logged(receipt_id as string);
  const verdict = await verifyBundle(bundle, { issuer: anyone });
  assert.equal(verdict.verdict, 'valid');
  assert.ok(verdict.valid && verdict.statement.subject[0]?.name.startsWith('skill/json-diff@'));
  assert.equal((await verifyBundle(bundle)).verdict, 'internally consistent, issuer unknown');
});

/** A receipt is in the log within a moment of its run. */
async function logged(id: string) {
  await world.receipts.log();
  return anyone.receipts.get({ id });
}

test('agent.chat() returns an event stream or the whole answer, depending on accept', async () => {
  const capstan = createCapstan({ base_url: url });
  await capstan.signInWithWallet(ethereumWallet());
  const input = { body: { message: 'find a skill that compares JSON documents' } };
  const told: string[] = [];
  for await (const { event, data } of capstan.agent.chat(input, { accept: 'text/event-stream' })) {
    told.push(event);
    if (event === 'done') assert.match(data.message, /json-diff/);
  }
  assert.deepEqual([told[0], told.at(-1)], ['started', 'done']);
  assert.match((await capstan.agent.chat(input)).message, /json-diff/);
});

test('every() yields each item of a paged list once', async () => {
  const names: string[] = [];
  for await (const { name } of every(anyone.skills.list, { limit: 4 })) names.push(name);
  assert.equal(names.length, (await anyone.skills.list()).total_count);
  assert.equal(new Set(names).size, names.length);
});

test('responses are decoded by media type: JSON, text, bytes and JSON Lines, and a 304 has no body', async () => {
  assert.match(await anyone.skills.getMd({ name: 'json-diff' }), /^---\nname: json-diff/);
  const bytes = await anyone.skills.getFile({ name: 'json-diff', path: 'scripts/run.mjs' });
  assert.ok(bytes instanceof Uint8Array && new TextDecoder().decode(bytes).includes('import'));
  const archive = await anyone.agentSkills.getArchive({ name: 'json-diff' });
  assert.deepEqual([...archive.subarray(0, 2)], [0x1f, 0x8b]);
  assert.match(await anyone.docs.get({}, { accept: 'text/markdown' }), /^# /m);
  for await (const _ of anyone.items.export()) assert.fail('there is no listing');
  const whole = await anyone.call('catalog.items.list', { limit: 1 });
  assert.deepEqual([whole.status, whole.body.limit], [200, 1]);
  const etag = whole.headers.get('etag') as string;
  const same = await anyone.call('catalog.items.list', { limit: 1 }, { headers: { 'if-none-match': etag } });
  assert.deepEqual([same.status, same.body], [304, undefined]);
});

test('errors carry kind, status, code, the pointer to the invalid field and the request id', async () => {
  const error = await failureOf(anyone.items.list({ limit: 1_000 }));
  assert.deepEqual([error.kind, error.status, error.code], ['invalid_request', 400, 'http.invalid']);
  assert.equal(error.errors[0]?.pointer, '/limit');
  assert.match(`${error.request_id}`, /^[0-9a-f-]{36}$/);
  assert.ok((await anyone.docs.getErrorPage({ code: error.code })).includes(error.code));
  const oauth = await failureOf(anyone.oauth.createToken({ body: { grant_type: 'refresh_token', client_id: 'x' } }));
  assert.equal(oauth.code, 'unsupported_grant_type');
});

test('a path parameter with dots, slashes or escapes cannot change which operation is called', async () => {
  for (const id of ['.', '..', ''])
    assert.equal((await failureOf(anyone.receipts.get({ id }))).code, 'sdk.invalid_call');
  for (const id of ['../keys', 'a/../../keys', '%2e%2e', '?x', '#x'])
    assert.equal((await failureOf(anyone.receipts.get({ id }))).code, 'receipts.not_found');
});

test('base_url may include a path, and a custom fetch can call the service in process', async () => {
  const asked: string[] = [];
  const below = createCapstan({
    base_url: `${url}/below/`,
    fetch: (address, init) => {
      asked.push(address);
      return fetch(address.replace('/below', ''), init);
    },
  });
  assert.equal((await below.docs.getSchemaVersion()).title, 'Capstan');
  assert.deepEqual(asked, [`${url}/below/api/schema/version`]);
  const inside = createCapstan({ base_url: '', fetch: world.fetch });
  assert.equal((await inside.skills.get({ name: 'json-diff' })).name, 'json-diff');
});

test('reports no drift from the service that the client was generated for', async () => {
  assert.equal((await anyone.checkDrift()).level, 'none');
  const told: unknown[] = [];
  const capstan = createCapstan({ base_url: url, on_drift: (drift) => told.push(drift) });
  await Promise.all([capstan.docs.getSchemaVersion(), capstan.skills.list()]);
  assert.deepEqual(told, []);
});
