import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

eachDatabase('one connection', (open) => {
  test('200: returns the current status and last error; 404 for other users and unknown ids', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([{ name: 'x', call: () => textResult('') }]);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const path = await stand.connect(as, fake.url);
    assert.equal((await stand.ask(as, 'GET', path)).body.last_used_at, null);
    await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'x' });
    assert.notEqual((await stand.ask(as, 'GET', path)).body.last_used_at, null);
    assert.equal((await stand.ask(other, 'GET', path)).body.code, 'connections.not_found');
    assert.equal((await stand.ask(as, 'GET', '/api/sessions/connections/nobody')).body.code, 'connections.not_found');
    fake.fault = (_, response) => !response.writeHead(401).end().closed;
    assert.equal(
      (await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'x' })).body.code,
      'connections.authorization_required',
    );
    const { status, last_error } = (await stand.ask(as, 'GET', path)).body;
    assert.deepEqual(
      [status, last_error.code, last_error.reason],
      ['auth_required', 'connections.authorization_required', 'auth_required'],
    );
    fake.fault = () => false;
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'x' })).status, 200);
    assert.equal((await stand.ask(as, 'GET', path)).body.status, 'ready');
    await fake.close();
  });
});
