import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSpans } from '#core/traces/spans.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { type FakeTool, listing, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

const tool = (name: string, more: Partial<FakeTool> = {}): FakeTool => ({ name, call: () => textResult(''), ...more });

eachDatabase('listing tools', (open) => {
  test('200: returns stored tools, and asks the server if they are older than a minute or on request', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([tool('a', { title: 'A', annotations: { readOnlyHint: true } })]);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const asked = () => fake.methods.filter((method) => method === 'tools/list').length;
    const list = (query = '') => stand.ask(as, 'POST', `${path}/tools/list${query}`);
    const before = asked();
    const first = await list();
    const [{ hash, ...shown }] = first.body.items;
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(shown, {
      name: 'a',
      title: 'A',
      description: '',
      input_schema: { type: 'object' },
      output_schema: null,
      annotations: { readOnlyHint: true },
      state: 'new',
    });
    assert.equal(asked(), before);
    fake.tools.push(tool('b'));
    assert.equal((await list('?refresh=true')).body.total_count, 2);
    assert.equal(asked(), before + 1);
    stand.clock.ms += 61_000;
    await Promise.all([list(), list(), list()]);
    assert.equal(asked(), before + 2);
    await fake.close();
  });

  test('200: omits tools with an invalid definition, and reports each with the reason', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake([tool('a')]);
    fake.fault = listing([
      { name: 'a', inputSchema: { type: 'object' } },
      { name: 'b', inputSchema: { anyOf: [] } },
    ]);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    for (const query of ['', '?refresh=true']) {
      const { body } = await stand.ask(as, 'POST', `${path}/tools/list${query}`);
      assert.deepEqual(
        body.items.map(({ name }: { name: string }) => name),
        ['a'],
      );
      assert.deepEqual([body.left_out.count, body.left_out.tools[0].name], [1, 'b']);
      assert.match(body.left_out.tools[0].reason, /^inputSchema\.type: /);
    }
    const refused = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'b' });
    assert.equal(refused.status, 404);
    assert.match(refused.body.detail, /"b" with an invalid definition \(inputSchema\.type: /);
    const called = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'a' });
    assert.equal(called.status, 200, called.text);
    await stand.tracing.flush();
    const [span] = await listSpans(database.db, called.body.trace_id);
    assert.equal(span?.attributes['capstan.mcp.tools.left_out'], 1);
    assert.match(String(span?.attributes['capstan.mcp.tools.left_out_names']), /^b: inputSchema\.type: /);
    fake.fault = listing([{ name: 'a', inputSchema: { type: 'object' } }]);
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/list?refresh=true`)).body.left_out.count, 0);
    await fake.close();
  });

  test('a credential with scope read gets the stored list, and 403 for a refresh', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([tool('a')]);
    const as = await stand.newUser();
    const reader = { ...as, id: `read:${as.id}` };
    const path = await stand.connect(as, fake.url);
    fake.tools.push(tool('b'));
    stand.clock.ms += 3_600_000;
    const before = fake.methods.length;
    const { status, body } = await stand.ask(reader, 'POST', `${path}/tools/list`);
    assert.deepEqual([status, body.total_count], [200, 1]);
    const refused = await stand.ask(reader, 'POST', `${path}/tools/list?refresh=true`);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'auth.insufficient_scope', 'required'],
    );
    assert.equal(fake.methods.length, before);
    assert.equal((await stand.ask(as, 'POST', `${path}/tools/list`)).body.total_count, 2);
    assert.ok(fake.methods.length > before);
    await fake.close();
  });

  test('502: rejects tools that are too deep, too large or too many to store', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([tool('a')]);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const refresh = async () => (await stand.ask(as, 'POST', `${path}/tools/list?refresh=true`)).body.code;
    let deep: Record<string, unknown> = { type: 'object' };
    for (let level = 0; level < 300; level++) deep = { type: 'object', properties: { a: deep } };
    fake.tools.splice(0, 1, tool('deep', { inputSchema: deep as never }));
    assert.equal(await refresh(), 'connections.server_failed');
    fake.tools.splice(0, 1, tool('large', { description: 'x'.repeat(3_000_000) }));
    assert.equal(await refresh(), 'connections.server_failed');
    fake.tools.splice(0, 1, ...Array.from({ length: 1_001 }, (_, n) => tool(`t${n}`)));
    assert.equal(await refresh(), 'connections.server_failed');
    await fake.close();
  });
});
