import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { startMcpFake, textResult } from './fakes/mcp-server.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** From an address to a receipt: connected, called, and run as a task by the real app. */

const world = await openWorld({}, 'serve');
const text = { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] };
const tool = {
  name: 'echo',
  inputSchema: text,
  call: (args: Record<string, unknown>) => textResult(String(args.text)),
};
const fake = await startMcpFake([tool]);
after(async () => {
  await world.close();
  await fake.close();
});

test('a task calls a tool of a connection and leaves a trace and a receipt', async () => {
  const account = await (await accountsOf(world)).signUp();
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await world.fetch(path, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const made = await ask('POST', '/api/sessions/connections', { url: fake.url });
  assert.deepEqual([made.status, made.body.status], [201, 'ready']);
  const called = await ask('POST', `/api/sessions/connections/${made.body.id}/tools/call`, {
    tool: 'echo',
    arguments: { text: 'hi' },
  });
  assert.deepEqual(called.body.content, [{ type: 'text', text: 'hi' }]);
  const capability = { kind: 'connection', ref: `${made.body.id}/echo` };
  const unfit = await ask('POST', '/api/agents/tasks', { capability, input: { text: 1 } });
  assert.deepEqual([unfit.status, unfit.body.code, unfit.body.reason], [422, 'runs.input_invalid', 'input_unfit']);
  const task = await ask('POST', '/api/agents/tasks', { capability, input: { text: 'proved' } });
  assert.equal(task.status, 201, JSON.stringify(task.body));
  await ask('POST', `/api/agents/tasks/${task.body.id}/start`);
  const seen = await until('an end of the task', async () => {
    const shown = await ask('GET', `/api/agents/tasks/${task.body.id}`);
    return shown.body.status !== 'working' && shown;
  });
  assert.deepEqual([seen.body.status, seen.body.output], ['completed', 'proved'], JSON.stringify(seen.body.error));
  assert.equal((await ask('GET', `/api/receipts/${seen.body.receipt_id}`)).status, 200);
  const { spans } = (await ask('GET', `/api/agents/tasks/${task.body.id}/trace`)).body;
  assert.deepEqual(
    spans.map(({ name }: { name: string }) => name),
    ['tools/call echo'],
  );
  assert.deepEqual((await ask('GET', `/api/traces/${seen.body.trace_id}`)).body.spans, spans);
  assert.equal((await ask('DELETE', `/api/sessions/connections/${made.body.id}`)).status, 200);
});
