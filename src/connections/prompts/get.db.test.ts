import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSpans } from '#core/traces/spans.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';

const prompts = [{ name: 'plan', say: ({ harbour = '' }) => `Plan a trip from ${harbour}.` }];

eachDatabase('getting a prompt', (open) => {
  test('200: returns the messages; unknown prompts and servers without any are refused', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const [fake, none] = [await startMcpFake([], { content: { prompts } }), await startMcpFake()];
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const get = (prompt: string, args?: object) =>
      stand.ask(as, 'POST', `${path}/prompts/get`, { prompt, arguments: args });
    const { status, body } = await get('plan', { harbour: 'Bremerhaven' });
    assert.equal(status, 200);
    assert.deepEqual(body.messages, [
      { role: 'user', content: { type: 'text', text: 'Plan a trip from Bremerhaven.' } },
    ]);
    await stand.tracing.flush();
    const [span] = await listSpans(database.db, body.trace_id);
    assert.equal(span?.name, 'prompts/get plan');
    const unknown = await get('nothing');
    assert.deepEqual([unknown.status, unknown.body.reason, unknown.body.mcp_code], [502, 'server_refused', -32_602]);
    assert.equal((await get('plan', { harbour: 7 })).status, 400);
    const bare = await stand.connect(as, none.url, { name: 'none' });
    const without = await stand.ask(as, 'POST', `${bare}/prompts/get`, { prompt: 'plan' });
    assert.deepEqual([without.status, without.body.reason], [404, 'prompt']);
    await Promise.all([fake.close(), none.close()]);
  });
});
