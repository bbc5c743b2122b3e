import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '#core/db/open.ts';
import { Problem } from '#core/problem/problem.ts';
import { newSecretKeys } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { type OAuthFake, startOAuthFake } from '#test/fakes/mcp-oauth.ts';
import { openOAuthCalls } from '#test/oauth-calls.ts';

const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

eachDatabase('tokens of connections', (open, engine) => {
  const closing: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closing.reverse()) await close();
  });
  /** `processes` that share a database, each with its own database connections. */
  const begin = async (processes = 1, fakeOptions = {}) => {
    const [database, keys, fake] = [await open('own'), await newSecretKeys(), await startOAuthFake(fakeOptions)];
    const clock = { moved_ms: 0, now: () => Date.now() + clock.moved_ms };
    const others = await Promise.all(Array.from({ length: processes - 1 }, () => openDatabase(database.config)));
    const calls = [database, ...others].map((other) => openOAuthCalls({ database: other, keys, clock }));
    closing.push(...others.map((other) => other.close), ...calls.map((call) => call.close), fake.close);
    const [first = assert.fail()] = calls;
    return { fake, calls, first, clock, keys };
  };
  const grantOf = (fake: OAuthFake) => fake.requests.filter((request) => request.path === '/token');

  test('every call has a valid token, and two processes refresh it once per expiry', async () => {
    const { fake, calls, first, clock } = await begin(engine === 'postgres' ? 2 : 1);
    fake.life_s = 100;
    fake.now = clock.now;
    const connection = await first.newConnection(fake.mcp.url);
    // Each call takes two seconds of the clock, about three token lifetimes in total.
    const caller = async (oauthCalls: (typeof calls)[number]) => {
      for (; clock.moved_ms < 280_000; clock.moved_ms += 2_000)
        assert.match(await oauthCalls.call(connection, 'hello'), /hello done/);
    };
    await Promise.all([...calls, ...calls].map(caller));
    const { version } = await first.base.db.selectFrom('connection_grants').select('version').executeTakeFirstOrThrow();
    assert.equal(fake.refreshes, version - 1, 'none was done twice');
    assert.ok(fake.refreshes >= 3 && fake.refreshes <= 6, `${fake.refreshes} refreshes`);
  });

  test('30 concurrent callers in three processes refresh an expired token once', async () => {
    const { fake, calls, first, clock } = await begin(3);
    const connection = await first.newConnection(fake.mcp.url);
    // As long as a few database reads, during which the others start to wait.
    fake.before_token = async () => {
      for (let reads = 0; reads < 20; reads++) await first.look(connection);
    };
    clock.moved_ms = 4_000_000;
    const tokens = await Promise.all(
      Array.from({ length: 30 }, (_, at) => (calls[at % 3] as typeof first).oauth.accessToken(connection)),
    );
    assert.equal(new Set(tokens.map((token) => token.token)).size, 1);
    assert.equal(fake.refreshes, 1);
    assert.deepEqual(
      calls.flatMap((call) => call.refreshes).filter((refresh) => refresh === 'renewed'),
      ['renewed'],
    );
  });

  test('a failed refresh shortly before expiry returns the old token', async () => {
    const { fake, first, clock } = await begin();
    const connection = await first.newConnection(fake.mcp.url);
    const { token } = await first.oauth.accessToken(connection);
    clock.moved_ms = 3_520_000;
    assert.equal((await first.oauth.accessToken(connection)).token, token, 'more than a minute before');
    clock.moved_ms = 3_590_000;
    fake.fault = (path, response) => path === '/token' && Boolean(response.writeHead(503).end());
    assert.equal((await first.oauth.accessToken(connection)).token, token, 'a failure that may pass');
    fake.fault = () => false;
    clock.moved_ms += 2_000;
    assert.notEqual((await first.oauth.accessToken(connection)).token, token);
  });

  test('a failed refresh of an expired token fails the call, keeps the grant and is retried later', async () => {
    const { fake, first, clock } = await begin();
    const connection = await first.newConnection(fake.mcp.url);
    clock.moved_ms = 4_000_000;
    let asked = 0;
    fake.fault = (path, response) => {
      if (path !== '/token') return false;
      asked++;
      clock.moved_ms += 20_000;
      return Boolean(response.writeHead(403).end('<html>'));
    };
    await assert.rejects(first.oauth.accessToken(connection), isProblem('connections.oauth_failed'));
    fake.fault = () => false;
    assert.equal(asked, 1);
    assert.equal((await first.look(connection)).status, 'ready');
    clock.moved_ms += 2_000;
    await first.oauth.accessToken(connection);
  });

  test('a revoked grant sets auth_required with the reason, and signing in again repairs the connection', async () => {
    const { fake, first, clock } = await begin();
    const connection = await first.newConnection(fake.mcp.url);
    clock.moved_ms = 20_000;
    fake.revokeAll();
    await assert.rejects(first.call(connection, 'hello'), /sign in/);
    const ended = await first.look(connection);
    assert.equal(ended.status, 'auth_required');
    assert.deepEqual(
      [ended.last_error?.code, ended.last_error?.reason],
      ['connections.authorization_required', 'grant_ended'],
    );
    assert.ok(!ended.last_error?.detail.includes('stranger'));
    await assert.rejects(first.oauth.accessToken(connection), isProblem('connections.authorization_required'));
    await first.signIn(ended);
    assert.match(await first.call(connection, 'hello'), /hello done/);
    assert.equal((await first.look(connection)).last_error, null);
  });

  test('refreshes a token that the server rejects early, and retries the call once', async () => {
    const { fake, first, clock } = await begin();
    fake.life_s = 100;
    const connection = await first.newConnection(fake.mcp.url);
    // The server's clock is ahead: to us the token is still valid.
    fake.now = () => Date.now() + 101_000;
    clock.moved_ms = 20_000;
    assert.match(await first.call(connection, 'hello'), /hello done/);
    assert.equal(fake.refreshes, 1);
  });

  test('does not refresh a newly issued token that the server rejects', async () => {
    const { fake, first } = await begin();
    const connection = await first.newConnection(fake.mcp.url);
    fake.mcp.fault = (_, response) => Boolean(response.writeHead(401).end());
    await assert.rejects(first.call(connection, 'hello'), /sign in/);
    assert.equal(fake.refreshes, 0);
    assert.equal((await first.look(connection)).status, 'auth_required');
  });

  test('an insufficient_scope error requests the old and new scopes, and the old token keeps working', async () => {
    const { fake, first } = await begin();
    const connection = await first.newConnection(fake.mcp.url);
    await assert.rejects(first.call(connection, 'write'), /sign in/);
    const wanting = await first.look(connection);
    assert.equal(wanting.status, 'auth_required');
    assert.deepEqual(
      [wanting.last_error?.code, wanting.last_error?.reason],
      ['connections.authorization_required', 'scope_required'],
    );
    assert.match(await first.call(connection, 'hello'), /hello done/);
    await first.signIn(wanting);
    assert.match(await first.call(connection, 'write'), /write done/);
    const grant = await first.base.db.selectFrom('connection_grants').select('scope').executeTakeFirstOrThrow();
    assert.deepEqual(grant.scope.split(' ').sort(), ['read', 'write']);
  });

  test('a sign-in that ends during a refresh takes precedence over it', async () => {
    const { fake, first, clock } = await begin();
    const connection = await first.newConnection(fake.mcp.url);
    clock.moved_ms = 4_000_000;
    let signed: string | undefined;
    fake.before_token = async (body) => {
      if (body.get('grant_type') !== 'refresh_token') return;
      await first.signIn(connection);
      signed = (await first.oauth.accessToken(connection)).token;
    };
    assert.equal((await first.oauth.accessToken(connection)).token, signed, 'that of the sign-in');
    assert.ok(signed !== undefined);
    assert.match(await first.call(connection, 'hello'), /hello done/);
  });

  test("uses the client metadata document or the operator's client instead of registering one", async () => {
    const { fake, first, keys } = await begin();
    fake.server_metadata = (json) => ({ ...json, client_id_metadata_document_supported: true });
    const database = first.base.database;
    const published = openOAuthCalls({ database, keys, base_url: 'https://capstan.example' });
    closing.push(published.close);
    const connection = await published.newConnection(fake.mcp.url);
    assert.match(await published.call(connection, 'hello'), /hello done/);
    assert.equal(grantOf(fake)[0]?.body.get('client_id'), 'https://capstan.example/client-metadata.json');
    assert.equal(fake.registered.length, 0);
    const given = { issuer: fake.issuer, client_id: 'given', client_secret: 'secret', servers: [fake.mcp.url] };
    const operated = openOAuthCalls({ database, keys, oauth_clients: [given] });
    closing.push(operated.close);
    await assert.rejects(operated.newConnection(fake.mcp.url));
    assert.equal(fake.registered.length, 0);
  });

  test('sends nothing over plain http in production', async () => {
    const { fake, first, keys } = await begin();
    const strict = openOAuthCalls({ database: first.base.database, keys, production: true });
    closing.push(strict.close);
    await assert.rejects(strict.newConnection(fake.mcp.url), isProblem('outbound.failed'));
    assert.equal(fake.registered.length, 0);
  });
});
