import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

eachDatabase('accepting a tool', (open) => {
  test("200: accepts a tool before its first call; 404: unknown tool or another user's; 400: invalid hash", async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([{ name: 'a', call: () => textResult('') }]);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const path = await stand.connect(as, fake.url);
    const [{ hash }] = (await stand.ask(as, 'POST', `${path}/tools/list`)).body.items;
    const accept = (body: object, who = as) => stand.ask(who, 'POST', `${path}/tools/accept`, body);
    assert.equal((await accept({ tool: 'a', hash })).status, 200);
    const [entry] = await Array.fromAsync(listAudit(database.db));
    assert.deepEqual([entry?.action, entry?.actor, entry?.detail], ['sessions.accept_tool', as.id, { hash }]);
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/list`)).body.items[0].state, 'accepted');
    assert.equal((await accept({ tool: 'b', hash })).body.code, 'connections.not_found');
    assert.equal(
      (await accept({ tool: 'a', hash: `sha256:${'0'.repeat(64)}` })).body.code,
      'connections.tool_conflict',
    );
    assert.equal((await accept({ tool: 'a', hash: 'x' })).status, 400);
    assert.equal((await accept({ tool: 'a', hash }, other)).body.code, 'connections.not_found');
    await fake.close();
  });
});
