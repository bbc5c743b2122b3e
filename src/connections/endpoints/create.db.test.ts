import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, deleteApiKey } from '#accounts/api-keys/api-keys.ts';
import { listAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { findEndpointOf, insertEndpoint } from './endpoints.ts';

const PATH = '/api/sessions/endpoints';

eachDatabase('POST /api/sessions/endpoints', (open) => {
  test('201: all connections with the token; the tools of now are accepted; 409: the same name', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([{ name: 'a', call: () => textResult('') }]);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url, { name: 'My Tides' });
    const made = await stand.ask(as, 'POST', PATH, { name: 'laptop' });
    assert.equal(made.status, 201, made.text);
    const [{ prefix, tools, status }] = made.body.connections;
    assert.deepEqual([prefix, tools, status], ['my-tides', null, 'ready']);
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/list`)).body.items[0].state, 'accepted');
    fake.tools.push({ name: 'b', call: () => textResult('') });
    const later = await stand.ask(as, 'POST', `${path}/tools/list?refresh=true`);
    assert.deepEqual([later.body.items[1].state, later.body.waiting], ['added', 1], 'before any call');
    const rows = await database.db.selectFrom('mcp_endpoints').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(made.body.token), 'only a digest is stored');
    const [entry] = await Array.fromAsync(listAudit(database.db));
    assert.deepEqual([entry?.action, entry?.target], ['sessions.create_endpoint', made.body.id]);
    assert.equal((await stand.ask(as, 'POST', PATH, { name: 'laptop' })).body.code, 'connections.conflict');
    await fake.close();
  });

  test("404: another user's connection; 400: one that is chosen twice, and a past expiry; 409: the 51st", async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([]);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const ask = (body: object, who = as) => stand.ask(who, 'POST', PATH, { name: 'x', ...body });
    const theirs = await ask({ connections: [{ id }] }, other);
    assert.deepEqual([theirs.status, theirs.body.reason], [404, 'connection']);
    const twice = await ask({ connections: [{ id }, { id }] });
    assert.deepEqual([twice.status, twice.body.errors[0].pointer], [400, '/connections/1/id']);
    assert.equal((await ask({ expires_at: '2020-01-01T00:00:00.000Z' })).status, 400);
    for (let n = 0; n < 50; n++) assert.equal((await ask({ name: `n${n}`, connections: [] })).status, 201);
    assert.deepEqual((await ask({})).body.reason, 'endpoints');
    await fake.close();
  });

  test('a token ends with the API key that made it, and at its expiry', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const { db } = database;
    const { id: user_id } = await stand.newUser();
    const now = isoTime(stand.clock.now());
    const key = await createApiKey(db, { user_id, name: 'k', scopes: ['write'], expires_at: null }, now);
    const made = (name: string, api_key_id: string | null, expires_at: string | null) =>
      insertEndpoint(db, { user_id, api_key_id, name, expires_at }, now);
    const later = isoTime(stand.clock.now() + 60_000);
    const [byKey, brief] = [await made('a', key.id, null), await made('b', null, later)];
    assert.ok(await findEndpointOf(db, byKey.token, now));
    assert.ok(await findEndpointOf(db, brief.token, now));
    assert.equal(await findEndpointOf(db, brief.token, later), undefined);
    await deleteApiKey(db, user_id, key.id);
    assert.equal(await findEndpointOf(db, byKey.token, now), undefined);
  });
});
