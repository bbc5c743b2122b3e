import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

eachDatabase('renaming a connection', (open) => {
  test('200: two accounts at one server are told apart by name; id, tools and endpoint prefix stay', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([{ name: 'x', call: () => textResult('') }]);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const [first, second] = [await stand.connect(as, fake.url), await stand.connect(as, fake.url)];
    const nameOf = async (path: string) => (await stand.ask(as, 'GET', path)).body.name;
    const automatic = await nameOf(second);
    assert.notEqual(automatic, await nameOf(first), 'a second connection is another one');
    const chosen = { connections: [{ id: second.split('/').at(-1) }] };
    const endpoint = (await stand.ask(as, 'POST', '/api/sessions/endpoints', { name: 'e', ...chosen })).body;
    const renamed = await stand.ask(as, 'PATCH', second, { name: 'Harbour office' });
    assert.deepEqual(
      [renamed.status, renamed.body.name, second.endsWith(renamed.body.id)],
      [200, 'Harbour office', true],
    );
    assert.equal(
      (await stand.ask(as, 'PATCH', second, { name: 'Harbour office' })).status,
      200,
      'the name that it has',
    );
    assert.equal((await stand.ask(as, 'POST', `${second}/tools/call`, { tool: 'x' })).status, 200);
    const after = (await stand.ask(as, 'GET', `/api/sessions/endpoints/${endpoint.id}`)).body;
    assert.deepEqual(
      after.connections.map(({ name, prefix }: { name: string; prefix: string }) => [name, prefix]),
      [['Harbour office', endpoint.connections[0].prefix]],
    );
    const taken = await stand.ask(as, 'PATCH', first, { name: 'Harbour office' });
    assert.deepEqual([taken.status, taken.body.code], [409, 'connections.conflict']);
    for (const name of ['', 'a\u0000', 'x'.repeat(101)])
      assert.equal((await stand.ask(as, 'PATCH', first, { name })).body.code, 'http.invalid');
    assert.equal((await stand.ask(other, 'PATCH', first, { name: 'mine' })).body.code, 'connections.not_found');
    const actions = await database.db.selectFrom('audit_log').select('action').execute();
    assert.equal(actions.filter(({ action }) => action === 'sessions.rename').length, 1);
    await fake.close();
  });

  test('409: of two connections that get the same name at once, one does', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake();
    const as = await stand.newUser();
    const paths = [await stand.connect(as, fake.url), await stand.connect(as, fake.url)];
    const answers = await Promise.all(paths.map((path) => stand.ask(as, 'PATCH', path, { name: 'Office' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    await fake.close();
  });
});
