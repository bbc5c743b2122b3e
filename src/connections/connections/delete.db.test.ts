import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

eachDatabase('deleting a connection', (open) => {
  test('200: deletes the connection and its stored tools; 404 for other users and afterwards', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([{ name: 'x', call: () => textResult('') }], { era: 'sessions' });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const path = await stand.connect(as, fake.url);
    await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'x' });
    assert.equal((await stand.ask(other, 'DELETE', path)).status, 404);
    const deleted = await stand.ask(as, 'DELETE', path);
    assert.deepEqual([deleted.status, deleted.body], [200, { status: 'deleted' }]);
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/tools/list`],
    ] as const)
      assert.equal((await stand.ask(as, method, at)).body.code, 'connections.not_found');
    assert.deepEqual(await database.db.selectFrom('connection_tools').selectAll().execute(), []);
    await fake.close();
  });
});
