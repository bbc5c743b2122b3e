import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** What discovery lists of this service can be called as it says. */

interface Listed {
  name: string;
  server: { id: string };
  call: { protocol: string; endpoint: string; method: string; params: Record<string, unknown> };
}

const world = await openWorld({}, 'serve');
after(() => world.close());
const { token } = await (await accountsOf(world)).signUp();

const post = (path: string, body: object) =>
  world.fetch(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });

async function toolsOf(server: string): Promise<Listed[]> {
  const answer = await world.fetch(`/api/discovery/tools?limit=200&server=${encodeURIComponent(server)}`);
  return ((await answer.json()) as { items: Listed[] }).items;
}

/** Arguments that fit nothing: what is known is refused for them, and nothing is carried out. */
const UNFIT = { 'not an argument of anything': true };
const UNKNOWN_TOOL = /unknown tool|no tool|not found/i;

async function callOverMcp({ call }: Pick<Listed, 'call'>): Promise<string> {
  const params = { ...call.params, arguments: UNFIT };
  const answer = await post(call.endpoint, { jsonrpc: '2.0', id: 1, method: call.method, params });
  return answer.text();
}

test('every tool that discovery lists can be called with tools/call at the listed endpoint', async () => {
  const tools = await toolsOf('capstan');
  const listed = (await (await world.fetch('/mcp/tools')).json()) as { items: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name).sort(), listed.items.map(({ name }) => name).sort());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tools), async (tool) => {
      assert.deepEqual([tool.call.protocol, tool.call.params.name], ['mcp', tool.name]);
      const said = await callOverMcp(tool);
      assert.match(said, /not an argument of anything|additional/i, said);
    }),
    { numRuns: 60 },
  );
  const unknown = { call: { ...(tools[0] as Listed).call, params: { name: 'csv-profile' } } };
  assert.match(await callOverMcp(unknown), UNKNOWN_TOOL);
});

test('every first-party skill that discovery lists can be created as a task at the listed endpoint', async () => {
  const skills = await toolsOf('capstan/skills');
  const names = ((await (await world.fetch('/api/skills')).json()) as { items: { name: string }[] }).items;
  assert.deepEqual(skills.map(({ name }) => name).sort(), names.map(({ name }) => name).sort());
  for (const { call, name } of skills) {
    const { example } = (await (await world.fetch(`/api/skills/${name}`)).json()) as { example?: { input: unknown } };
    const answer = await post(call.endpoint, { ...call.params, input: example?.input ?? {} });
    assert.ok(answer.status === 201 || answer.status === 422, `${name}: ${answer.status}`);
    if (answer.status === 422) assert.equal(((await answer.json()) as { code: string }).code, 'runs.input_invalid');
  }
});
