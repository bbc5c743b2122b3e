import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsProblem } from '#accounts/errors.ts';
import { listAudit } from '#core/audit/audit.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';
import { ROOMY } from '#test/storage.ts';

eachDatabase('PUT /api/sessions/endpoints/{id}', (open) => {
  test('200: another choice; a connection keeps its prefix, and another one of its name gets its own', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([]);
    const as = await stand.newUser();
    const idOf = async (name: string) => (await stand.connect(as, fake.url, { name })).split('/').at(-1);
    const [first, second] = [await idOf('Tides'), await idOf('tides!')];
    const made = await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a', connections: [{ id: first }] });
    const path = `/api/sessions/endpoints/${made.body.id}`;
    const both = await stand.ask(as, 'PUT', path, { connections: [{ id: second, tools: ['x'] }, { id: first }] });
    assert.equal(both.status, 200, both.text);
    const shown = both.body.connections.map(({ id, prefix, tools }: Record<string, unknown>) => [id, prefix, tools]);
    assert.deepEqual(shown, [
      [second, 'tides-2', ['x']],
      [first, 'tides', null],
    ]);
    const atOnce = Array.from({ length: 6 }, () => stand.ask(as, 'PUT', path, { connections: [{ id: second }] }));
    assert.deepEqual(new Set((await Promise.all(atOnce)).map(({ status }) => status)), new Set([200]));
    assert.deepEqual((await stand.ask(as, 'PUT', path, { connections: [] })).body.connections, []);
    const actions = (await Array.fromAsync(listAudit(database.db))).map(({ action }) => action);
    assert.equal(actions.filter((action) => action === 'sessions.change_endpoint').length, 2 + atOnce.length);
    assert.equal((await stand.ask(as, 'PUT', `${path}x`, { connections: [] })).status, 404);
    const theirs = await stand.ask(await stand.newUser(), 'PUT', path, { connections: [] });
    assert.deepEqual([theirs.status, theirs.body.reason], [404, 'endpoint']);
    await fake.close();
  });

  test('429: names of tools count toward the storage of their owner', async () => {
    const full: typeof ROOMY.require = async (_db, _user, _kind, bytes = 0) => {
      if (bytes > 50_000) throw accountsProblem('users.quota_exceeded', 'Full.', { reason: 'storage_full' });
    };
    await using stand = await connectionsStand(await open(), { storage: { ...ROOMY, require: full } });
    const fake = await startMcpFake([]);
    const as = await stand.newUser();
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const made = await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'a' });
    const tools = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(1_000, 'x'));
    const path = `/api/sessions/endpoints/${made.body.id}`;
    const { status, body } = await stand.ask(as, 'PUT', path, { connections: [{ id, tools }] });
    assert.deepEqual([status, body.reason], [429, 'storage_full']);
    assert.equal((await stand.ask(as, 'GET', path)).body.connections[0].tools, null);
    await fake.close();
  });

  test('404: a connection that is deleted while it is being chosen', async () => {
    // Storage is looked at after the connections were found, and before the choice is stored.
    const require: typeof ROOMY.require = async (db, _user, _kind, bytes = 0) => {
      if (bytes > 5_000) await db.deleteFrom('connections').execute();
    };
    await using stand = await connectionsStand(await open(), { storage: { ...ROOMY, require } });
    const fake = await startMcpFake([]);
    const as = await stand.newUser();
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const connections = [
      { id, tools: ['x'.repeat(900), ...Array.from({ length: 5 }, (_, n) => `${n}`.padEnd(900, 'y'))] },
    ];
    const made = await stand.ask(as, 'POST', '/api/sessions/endpoints', {
      name: 'a',
      connections: [{ id, tools: [] }],
    });
    const { status, body } = await stand.ask(as, 'PUT', `/api/sessions/endpoints/${made.body.id}`, { connections });
    assert.deepEqual([status, body.reason], [404, 'connection']);
    await fake.close();
  });
});
