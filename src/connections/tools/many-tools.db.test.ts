import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { oneDatabase } from '#test/databases.ts';
import { type FakeTool, listing, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

/** As many tools and members as a connection may have. */
const TOOLS = 1_000;
const MEMBERS = 10;

const inputSchemaOf = (at: number) => ({
  type: 'object' as const,
  properties: Object.fromEntries(
    Array.from({ length: MEMBERS }, (_, n) => [`p${at}_${n}`, { description: 'Says how. '.repeat(15) }]),
  ),
});

oneDatabase('a server with a thousand tools', (open) => {
  test('creating a connection and the first call hold the event loop for a moment only', async (context) => {
    await using stand = await connectionsStand(await open('own'));
    const tools = Array.from(
      { length: TOOLS },
      (_, at): FakeTool => ({ name: `tool_${at}`, inputSchema: inputSchemaOf(at), call: () => textResult('done') }),
    );
    const fake = await startMcpFake(tools);
    context.after(fake.close);
    const shown = tools.map(({ call: _, ...tool }) => tool);
    fake.fault = listing(shown);
    const as = await stand.newUser();
    const bytes = JSON.stringify(shown).length;
    assert.ok(bytes > 1_700_000, `${bytes} bytes`);
    const heldMs = await heldTimeOf(
      async () => {
        const path = await stand.connect(as, fake.url);
        const called = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'tool_7' });
        assert.equal(called.status, 200, called.text);
      },
      { tries: 4 },
    );
    assert.ok(heldMs < 50, `${heldMs} ms`);
  });
});
