import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { accountsOf } from './accounts.ts';
import { OPEN_SERVER, openOneWayStand } from './one-way-stand.ts';

/** An agent finds a server by what it does and has the answer of its tool, with proof, in two calls over MCP. */

const stand = await openOneWayStand({ probes: true });
after(() => stand[Symbol.asyncDispose]());
const { token } = await (await accountsOf(stand.world, systemClock, stand.url)).signUp();

interface Answer {
  items: { tools: string[]; next: { tool: string; arguments: { ref: string; input: { tool: string } } } }[];
  status: string;
  output: unknown;
  trace_id: string;
  receipt_id: string;
}

async function call(name: string, args: object): Promise<Answer> {
  const answer = await stand.world.fetch('/mcp/jsonrpc', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { result, error } = (await answer.json()) as {
    result?: { structuredContent: Answer; isError?: boolean };
    error?: unknown;
  };
  assert.ok(result !== undefined && result.isError !== true, JSON.stringify(error ?? result));
  return result.structuredContent;
}

test('marketplace_search names the tools of a server, and task_run answers with trace and receipt', async () => {
  const found = await call('marketplace_search', { query: 'tide times of harbours' });
  const [{ tools, next } = assert.fail()] = found.items;
  assert.deepEqual(tools, ['close_harbour()', 'tide_at(harbour: string)']);
  assert.equal(next.tool, 'task_run');
  const input = { tool: 'tide_at', arguments: { harbour: 'Husum' } };
  const ran = await call(next.tool, { ...next.arguments, input });
  assert.equal(ran.status, 'completed');
  assert.match(JSON.stringify(ran.output), /High water at noon in Husum/);
  assert.match(ran.trace_id, /^[0-9a-f]{32}$/);
  const { dsse } = await stand.world.get<{ dsse: { payload: string } }>(`/api/receipts/${ran.receipt_id}`);
  const { subject } = JSON.parse(Buffer.from(dsse.payload, 'base64').toString());
  assert.equal(subject[0].name, `listing/mcp-registry/${OPEN_SERVER}@1.0.0`);
});
