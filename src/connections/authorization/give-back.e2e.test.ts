import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { deleteConnection } from '#connections/connections/connections.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { newSecretKeys } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startOAuthFake } from '#test/fakes/mcp-oauth.ts';
import { openOAuthCalls } from '#test/oauth-calls.ts';
import { openOAuthStand } from '#test/oauth-stand.ts';
import { until } from '#test/until.ts';
import { giveBackTokens } from './give-back.ts';
import { REVOKE, revokeKinds } from './revoke.ts';
import { readTokens } from './tokens.ts';

eachDatabase('token revocation', (open) => {
  const closing: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const begin = async () => {
    const [database, keys, fake] = [await open(), await newSecretKeys(), await startOAuthFake()];
    const clock = { moved_ms: 0, now: () => Date.now() + clock.moved_ms };
    const calls = openOAuthCalls({ database, keys, clock });
    closing.push(calls.close, fake.close);
    const { db, jobs } = { db: database.db, jobs: jobTable(database, clock) };
    const connection = await calls.newConnection(fake.mcp.url);
    const { id, user_id } = connection;
    const remove = () =>
      db.transaction().execute(async (trx) => {
        await giveBackTokens(trx, calls.base, { user_id, ids: [id] });
        await deleteConnection(trx, { user_id, id });
      });
    /** Runs the job once, as a worker would. Returns the delay until the next attempt in ms. */
    const attempt = async (signal = new AbortController().signal) => {
      const lease = await jobs.claim([REVOKE], 'worker', 8_000);
      if (lease === null) return 'nothing due';
      const { handler } = revokeKinds(calls.base)[REVOKE] ?? assert.fail();
      const outcome = await handler({ job: lease, signal, fence: async () => {} });
      await jobs.complete(lease, outcome?.again_at_ms ?? null);
      return outcome === null ? 'ended' : outcome.again_at_ms - clock.now();
    };
    const held = async () => (await readTokens(db, keys, connection)) ?? assert.fail();
    return { db, jobs, keys, fake, calls, clock, connection, remove, attempt, held };
  };

  test('deleting a connection queues an encrypted job, which revokes the refresh token', async () => {
    const { jobs, fake, remove, attempt, held } = await begin();
    const { refresh_token } = await held();
    await remove();
    assert.deepEqual(fake.revoked, []);
    const [job, ...more] = await jobs.list(REVOKE);
    assert.deepEqual(more, []);
    assert.ok(!job?.payload.includes(refresh_token as string));
    assert.equal(await attempt(), 'ended');
    assert.deepEqual(fake.revoked, [refresh_token]);
    assert.deepEqual(await jobs.list(REVOKE), []);
  });

  test('rolling back a deletion revokes no token', async () => {
    const { db, jobs, calls, connection } = await begin();
    const { id, user_id } = connection;
    const undone = db.transaction().execute(async (trx) => {
      await giveBackTokens(trx, calls.base, { user_id, ids: [id] });
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    assert.deepEqual(await jobs.list(REVOKE), []);
    assert.match(await calls.call(connection, 'hello'), /hello done/);
  });

  test('retries a failing issuer with backoff for a day, and does not retry a 400', async () => {
    const { jobs, fake, remove, attempt, clock } = await begin();
    let answer = (response: ServerResponse): unknown => response.writeHead(503).end();
    fake.fault = (path, response) => path === '/revoke' && Boolean([answer(response)]);
    await remove();
    const soon = (await attempt()) as number;
    assert.ok(soon > 29_000 && soon < 32_000, `${soon}`);
    assert.equal(await attempt(), 'nothing due');
    clock.moved_ms += 60_000;
    answer = (response) => response.destroy();
    assert.ok(((await attempt()) as number) >= 149_000);
    clock.moved_ms += 86_400_000;
    assert.equal(await attempt(), 'ended', 'after a day');
    assert.deepEqual(await jobs.list(REVOKE), []);
    const other = await begin();
    other.fake.fault = (path, response) =>
      path === '/revoke' && Boolean(response.writeHead(400).end('{"error":"unsupported_token_type"}'));
    await other.remove();
    assert.equal(await other.attempt(), 'ended');
  });

  test('a revocation interrupted by shutdown stays leased for another process', async () => {
    const { jobs, fake, remove, attempt } = await begin();
    const ending = new AbortController();
    fake.fault = (path) => {
      if (path === '/revoke') ending.abort(new Error('shut down'));
      return path === '/revoke';
    };
    await remove();
    await assert.rejects(attempt(ending.signal), /shut down/);
    const [job = assert.fail()] = await jobs.list(REVOKE);
    assert.notEqual(job.lease_until, null, 'until its lease runs out');
  });

  test('revokes the tokens of a refresh that ends after the connection was deleted', async () => {
    const { fake, calls, connection, remove, attempt, clock, jobs } = await begin();
    clock.moved_ms = 4_000_000;
    fake.before_token = remove;
    await assert.rejects(calls.oauth.accessToken(connection));
    for (const _ of await jobs.list(REVOKE)) assert.equal(await attempt(), 'ended');
    assert.equal(new Set(fake.revoked).size, 2);
  });

  test('revokes the tokens of an authorization that ends after the connection was deleted', async () => {
    const { fake, calls, connection, remove, attempt, jobs, held } = await begin();
    const { refresh_token: before } = await held();
    fake.before_token = remove;
    await assert.rejects(calls.signIn(connection));
    for (const _ of await jobs.list(REVOKE)) assert.equal(await attempt(), 'ended');
    assert.equal(new Set(fake.revoked).size, 2);
    assert.ok(fake.revoked.includes(before as string));
  });

  test('a connection whose tokens cannot be decrypted is deleted without a revocation job', async () => {
    const { db, jobs, remove } = await begin();
    await db.updateTable('connection_secrets').set({ version: 9 }).execute();
    await remove();
    assert.deepEqual([await jobs.list(REVOKE), await db.selectFrom('connections').selectAll().execute()], [[], []]);
  });
});

test('deletes an account immediately while its issuer fails, and revokes its tokens later', async () => {
  let movedMs = 0;
  const clock = { now: () => Date.now() + movedMs };
  await using stand = await openOAuthStand({ clock, role: 'serve' });
  const { world, fake } = stand;
  const owner = await stand.newOwner();
  assert.match((await stand.signIn(owner)).headers.get('location') ?? '', /oauth=connected/);
  let asked = 0;
  fake.fault = (path, response) => path === '/revoke' && asked++ === 0 && Boolean(response.writeHead(503).end());
  const { stepUp, token } = owner.account;
  const headers = { ...(await stepUp(`DELETE /api/users/${owner.user_id}`)), authorization: `Bearer ${token}` };
  const deleted = await world.fetch(`/api/users/${owner.user_id}`, { method: 'DELETE', headers });
  assert.equal(deleted.status, 200, await deleted.text());
  const { db } = world.database;
  await until('the first try', () => asked > 0);
  assert.deepEqual(await db.selectFrom('connections').selectAll().execute(), []);
  await until('a token that goes back', () => {
    movedMs += 200;
    return fake.revoked.length > 0;
  });
  assert.equal(fake.revoked.length, 1);
});
