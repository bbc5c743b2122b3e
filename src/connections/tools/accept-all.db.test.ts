import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

eachDatabase('POST /api/sessions/connections/{id}/tools/accept-all', (open) => {
  test('200: accepts what was added, changed and removed; 409: the tools changed meanwhile', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const tool = (name: string, description = '') => ({ name, description, call: () => textResult('') });
    const fake = await startMcpFake([tool('a'), tool('b'), tool('c')]);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const path = await stand.connect(as, fake.url);
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'a' })).status, 200);
    fake.tools.splice(1, 2, tool('b', 'Other.'), tool('d'));
    const list = async () => (await stand.ask(as, 'POST', `${path}/tools/list?refresh=true`)).body;
    const { set_hash, waiting, gone } = await list();
    assert.deepEqual([waiting, gone], [2, ['c']]);
    const accept = (who = as) => stand.ask(who, 'POST', `${path}/tools/accept-all`, { set_hash });
    assert.equal((await accept(other)).status, 404);
    fake.tools.push(tool('e'));
    await list();
    const late = await accept();
    assert.deepEqual([late.status, late.body.code, late.body.reason], [409, 'connections.tool_conflict', 'hash']);
    fake.tools.pop();
    await list();
    const { status, body } = await accept();
    assert.deepEqual([status, body.accepted, body.removed, body.renamed], [200, ['b', 'd'], ['c'], []]);
    const after = await list();
    assert.deepEqual([after.waiting, after.gone], [0, []]);
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'd' })).status, 200);
    const entries = await Array.fromAsync(listAudit(database.db));
    const entry = entries.find(({ action }) => action === 'sessions.accept_tools');
    assert.deepEqual(entry?.detail, { set_hash, accepted: 2, removed: 1, renamed: 0 });
    await fake.close();
  });
});
