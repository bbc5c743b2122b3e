import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createUser, type User } from '#accounts/users/users.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { findConnection, insertConnection } from '#connections/connections/connections.ts';
import { openVault } from '#connections/vault/vault.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import { inProcess } from '#core/http/in-process.ts';
import type { Handler } from '#core/http/operation.ts';
import { createServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { openGates } from '#test/open-gates.ts';
import { newConnection } from '#test/vault-stand.ts';
import { credentialsContract } from './contract.ts';
import { storeCredentials } from './store.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const keys = keyProvider([createSecretKey(randomBytes(32))]);

/** The operation over HTTP; contacting the server again makes a connection `ready`. */
async function stand(database: TestDatabase) {
  const { db } = database;
  const lines: string[] = [];
  const revoked: string[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(line) });
  const vault = openVault({ db, keys });
  const handler = storeCredentials({
    db,
    keys,
    log,
    upstreams: { forget: () => {} } as never,
    clock: { now: () => Date.parse(NOW) },
    oauth: { giveBack: async (_: unknown, { ids }: { ids: string[] }) => void revoked.push(...ids) } as never,
    probe: async (connection, options) => {
      options?.on_step?.({ step: 'starting', bytes: 0 });
      return { ...connection, status: (await vault.open(connection)).url === '' ? 'error' : 'ready' };
    },
  });
  const operations = [{ operation: credentialsContract.store, handler: handler as Handler }];
  const gates = openGates(database);
  const server = createServer({ log, operations, gates, explain: explainDatabaseFailure, onAnswer: () => {} });
  const connect = async (user: User, more: Partial<Connection> = {}) => {
    const connection = newConnection(user.id, more);
    await insertConnection(db, connection);
    return connection.id;
  };
  const send = (user: User, id: string, body: unknown, accept: string) => {
    const authorization = `Bearer ${user.id}`;
    const headers = { authorization, accept, 'content-type': 'application/json', 'idempotency-key': 'k' };
    const path = `/api/sessions/connections/${id}/credentials`;
    return inProcess(server.fastify, path, { method: 'PUT', headers, body: JSON.stringify(body) });
  };
  const put = async (user: User, id: string, body: unknown) => {
    const answer = await send(user, id, body, 'application/json');
    const text = await answer.text();
    return { status: answer.status, text, body: JSON.parse(text), cache: answer.headers.get('cache-control') };
  };
  const open = async (user: User, id: string) =>
    vault.open((await findConnection(db, { user_id: user.id, id })) as Connection);
  return { db, lines, revoked, connect, send, put, open, newUser: () => createUser(db, 'Ada', NOW) };
}

eachDatabase('PUT /api/sessions/connections/{id}/credentials', (fresh) => {
  test('200: new credentials replace those of another type and are sent with calls', async () => {
    const { newUser, connect, put, open } = await stand(await fresh());
    const ada = await newUser();
    const id = await connect(ada);
    const { status, body, cache } = await put(ada, id, { type: 'header', headers: { 'X-Key': 'one' } });
    assert.deepEqual([status, body.status, body.id, cache], [200, 'ready', id, 'no-store']);
    const { type, stored, updated_at } = body.auth;
    assert.deepEqual([type, stored, updated_at], ['header', ['X-Key'], NOW]);
    const first = await open(ada, id);
    assert.deepEqual(first.headers, { 'x-key': 'one' });
    await put(ada, id, { type: 'bearer', token: 'two' });
    assert.deepEqual((await open(ada, id)).headers, { authorization: 'Bearer two' });
    await put(ada, id, { type: 'basic', username: 'ada', password: 'three' });
    assert.deepEqual((await open(ada, id)).headers, { authorization: `Basic ${btoa('ada:three')}` });
    await put(ada, id, { type: 'header', headers: { 'X-Key': 'one' } });
    const again = await open(ada, id);
    assert.deepEqual(again.headers, first.headers);
    assert.notEqual(again.version, first.version);
    assert.equal((await open(ada, id)).version, again.version);
  });

  test('200: as events, the steps of starting its package, and then the connection', async () => {
    const { newUser, connect, send } = await stand(await fresh());
    const ada = await newUser();
    const id = await connect(ada);
    const answer = await send(ada, id, { type: 'bearer', token: 'two' }, 'text/event-stream');
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
    const text = await answer.text();
    assert.match(text, /event: step\ndata: \{"step":"starting","bytes":0\}\n\nevent: result\ndata: .*"status":"ready"/);
    assert.doesNotMatch(text, /two/);
  });

  test('200: variables complete the server URL; 422: variables that the listing does not name', async () => {
    const { newUser, connect, put, open } = await stand(await fresh());
    const ada = await newUser();
    const tenant = { name: 'tenant', in: 'variable', description: '', required: true, secret: true } as const;
    const id = await connect(ada, {
      url: 'https://{tenant}.mcp.example/',
      auth: { type: 'none', fields: [{ ...tenant, value: '', default: '' }], values: {}, stored: [], oauth: null },
    });
    await assert.rejects(open(ada, id), { code: 'connections.authorization_required', message: /requires tenant\./ });
    const { body } = await put(ada, id, { type: 'variables', variables: { tenant: 'acme' } });
    assert.deepEqual(body.auth.stored, ['tenant']);
    assert.equal((await open(ada, id)).url, 'https://acme.mcp.example/');
    const other = await put(ada, id, { type: 'variables', variables: { region: 'eu' } });
    assert.deepEqual([other.status, other.body.code, other.body.reason], [422, 'connections.invalid', 'credentials']);
    assert.equal((await open(ada, id)).url, 'https://acme.mcp.example/');
    await put(ada, id, { type: 'variables', variables: { tenant: '@ /' } });
    await assert.rejects(open(ada, id), {
      code: 'connections.authorization_required',
      message: /do not give a valid server URL/,
    });
  });

  test('200: replacing an OAuth grant revokes it at its issuer', async () => {
    const { newUser, connect, put, revoked } = await stand(await fresh());
    const ada = await newUser();
    const auth = { type: 'oauth', fields: [], values: {}, stored: [], oauth: true } as const;
    const id = await connect(ada, { auth: { ...auth, fields: [], stored: [] } });
    assert.equal((await put(ada, id, { type: 'bearer', token: 't' })).body.auth.type, 'bearer');
    assert.deepEqual(revoked, [id]);
  });

  test("404: unknown connection or another user's, and nothing is stored", async () => {
    const { db, newUser, connect, put } = await stand(await fresh());
    const [ada, bob] = [await newUser(), await newUser()];
    const id = await connect(ada);
    for (const answer of [
      await put(bob, id, { type: 'bearer', token: 't' }),
      await put(bob, bob.id, { type: 'bearer', token: 't' }),
    ])
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.reason],
        [404, 'connections.not_found', 'connection'],
      );
    assert.deepEqual(await db.selectFrom('connection_secrets').selectAll().execute(), []);
  });

  test('400: fields invalid for the credential type, or over the limits', async () => {
    const { newUser, connect, put } = await stand(await fresh());
    const ada = await newUser();
    const id = await connect(ada);
    const wrong: [unknown, string][] = [
      [{ type: 'header', headers: { Host: 'x' } }, 'http.invalid'],
      [{ type: 'bearer', username: 'x' }, 'http.invalid'],
      [{ type: 'oauth', token: 'x' }, 'http.invalid'],
      [{ type: 'bearer', token: 'x'.repeat(8_193) }, 'http.invalid'],
      [{ type: 'bearer', token: 'x', more: 'y' }, 'http.invalid'],
      [
        { type: 'header', headers: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`x${n}`, 'x'])) },
        'http.invalid',
      ],
    ];
    for (const [body, code] of wrong) {
      const answer = await put(ada, id, body);
      assert.deepEqual([answer.status, answer.body.code], [400, code], JSON.stringify(body).slice(0, 80));
    }
  });

  test('of four concurrent writers, one stores all of its values', async () => {
    const { db, newUser, connect, put } = await stand(await fresh());
    const ada = await newUser();
    const id = await connect(ada);
    const given = ['a', 'b', 'c', 'd'].map((name) => ({ type: 'header', headers: { [name]: name, both: name } }));
    await Promise.all(given.map((body) => put(ada, id, body)));
    const { auth } = (await findConnection(db, { user_id: ada.id, id })) as Connection;
    const rows = await db.selectFrom('connection_secrets').select('field').orderBy('field').execute();
    assert.deepEqual(
      rows.map(({ field }) => field),
      auth.stored.map((name) => `header.${name}`).sort(),
    );
  });

  test('credentials appear in no response, log line, row or error', async () => {
    const { db, newUser, connect, put, lines } = await stand(await fresh());
    const ada = await newUser();
    const id = await connect(ada);
    const secret = 'Zx9-never-seen-Qw4';
    const answers = [
      await put(ada, id, { type: 'header', headers: { 'X-Api': secret } }),
      await put(ada, id, { type: 'basic', username: 'ada', password: secret }),
      await put(ada, id, { type: 'bearer', token: secret }),
      await put(ada, id, { type: 'bearer', token: `${secret} ` }),
      await put(ada, id, { type: 'bearer', token: [secret] }),
      await put(ada, id, { type: secret }),
      await put(ada, id, { type: 'header', headers: { Host: secret } }),
      await put(ada, id, { type: 'variables', variables: { a: secret } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 400, 400, 400, 400, 422],
    );
    const tables = ['connections', 'connection_secrets', 'idempotency_keys', 'spans', 'audit_log', 'jobs'];
    const rows = await Promise.all(
      tables.map(async (table) => (await sql`SELECT * FROM ${sql.table(table)}`.execute(db)).rows),
    );
    const seen = JSON.stringify([answers.map(({ text }) => text), lines, rows]);
    assert.ok(seen.includes('bearer.token'));
    for (const form of [secret, btoa(secret), btoa(`ada:${secret}`)]) assert.ok(!seen.includes(form));
  });
});
