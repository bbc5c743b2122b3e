import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from '../../../test/accounts.ts';
import { startMcpFake, textResult } from '../../../test/fakes/mcp-server.ts';
import { openWorld } from '../../../test/world.ts';

const world = await openWorld();
const text = { type: 'object' as const, properties: { text: { type: 'string' as const } } };
const echo = { name: 'echo', inputSchema: text, call: () => textResult('hi') };
const server = await startMcpFake([echo]);
const accounts = await accountsOf(world);
const [owner, stranger] = [await accounts.signUp(), await accounts.signUp()];
after(async () => {
  await world.close();
  await server.close();
});

async function ask(method: string, path: string, body?: object, { token } = owner) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await world.fetch(path, { method, headers, ...sent });
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  return { status: answer.status, body: (await answer.json()) as any };
}

const rigWith = (version: string, connection: string) => ({
  yaml: JSON.stringify({
    ...{ apiVersion: 'registry/v1', kind: 'Rig', metadata: { name: 'diff', version } },
    spec: {
      skills: [{ ref: 'skill/json-diff', digest: '' }],
      servers: [{ name: 'own', digest: '', connection, tools: { allow: ['echo'] } }],
      parameters: { type: 'object', required: ['before', 'after'] },
      prompt: 'Compare.',
    },
  }),
});

test('202, 404, 409, 422: a locked rig is begun as a task; one that is not what was locked does not', async () => {
  const { id: connection } = (await ask('POST', '/api/sessions/connections', { url: server.url })).body;
  await ask('POST', '/api/rigs', rigWith('1.0.0', connection));
  const input = { before: { port: 80 }, after: { port: 8080 } };
  const run = (body: object = { input }, as = owner) => ask('POST', '/api/rigs/diff/run', body, as);
  assert.deepEqual([(await run()).status, (await run()).body.code], [409, 'rigs.not_locked']);
  const locked = await ask('POST', '/api/rigs/diff/resolve', {});
  assert.equal(locked.status, 200, JSON.stringify(locked.body));
  assert.equal((await run({})).body.code, 'execution.input_unfit');
  assert.equal((await run({ input }, stranger)).body.code, 'rigs.not_found');
  const started = await run();
  const { status, capability } = started.body;
  assert.deepEqual([started.status, status, capability.digest], [202, 'working', locked.body.digest]);
  // A rig of somebody else that names this connection gets nothing of it.
  await ask('POST', '/api/rigs', rigWith('1.0.0', connection), stranger);
  const theirs = await ask('POST', '/api/rigs/diff/resolve', {}, stranger);
  assert.deepEqual([theirs.status, theirs.body.code], [422, 'rigs.connection_unknown']);
  await ask('DELETE', `/api/sessions/connections/${connection}`);
  const broken = await run();
  const [finding] = broken.body.findings;
  assert.deepEqual(
    [broken.status, broken.body.code, finding.part, finding.code, finding.found],
    [409, 'rigs.lock_broken', 'tool echo of own', 'connection_unknown', null],
  );
  const call = { name: 'rig_run', arguments: { rig: 'diff', input } };
  const said = await ask('POST', '/mcp/jsonrpc', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  assert.match(JSON.stringify(said.body.result), /"isError":true.*rigs\.lock_broken|rigs\.lock_broken.*"isError":true/);
});
