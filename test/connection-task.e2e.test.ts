import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { startLlm } from './fakes/llm.ts';
import { startMcpFake, textResult } from './fakes/mcp-server.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** From an address to a receipt: connected, called, and run as a task by the real app. */

const llm = await startLlm();
const world = await openWorld({ CAPSTAN_LLM_URL: llm.url, CAPSTAN_LLM_MODELS: 'fake-1' }, 'serve');
const text = { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] };
const tool = {
  name: 'echo',
  inputSchema: text,
  call: (args: Record<string, unknown>) => textResult(String(args.text)),
};
const fails = { name: 'fails', call: () => ({ ...textResult('no'), isError: true }) };
const book = {
  name: 'book',
  call: async (_args: unknown, _meta: unknown, { ask: person }: { ask: FakeAsk }) => {
    const { action, content } = await person('Which harbour?', { harbour: { type: 'string', title: 'Harbour' } });
    return textResult(action === 'accept' ? `booked ${content?.harbour}` : action);
  },
};
type FakeAsk = (
  message: string,
  properties: object,
) => Promise<{ action: string; content?: Record<string, unknown> | undefined }>;
const fake = await startMcpFake([tool, fails, book]);
after(async () => {
  await world.close();
  await fake.close();
  await llm.close();
});

async function signedUp() {
  const account = await (await accountsOf(world)).signUp();
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  return async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await world.fetch(path, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
    return { status: answer.status, body: (await answer.json()) as any };
  };
}

async function verified(ask: Awaited<ReturnType<typeof signedUp>>, id: string) {
  const bundle = await ask('GET', `/api/receipts/${id}`);
  assert.equal(bundle.status, 200, JSON.stringify(bundle.body));
  const { body } = await ask('POST', '/api/receipts/verify', bundle.body);
  assert.equal(body.valid, true, JSON.stringify(body));
  return body.statement.predicate;
}

test('a task calls a tool of a connection and leaves a trace and a receipt', async () => {
  const ask = await signedUp();
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

test('the chat names the receipt of each tool call, also if the call fails or is refused', async () => {
  const ask = await signedUp();
  const { id } = (await ask('POST', '/api/sessions/connections', { url: fake.url })).body;
  const calls: [string, object, string, string][] = [
    ['echo', { text: 'hi' }, 'completed', 'completed'],
    ['fails', {}, 'completed', 'failed'],
    ['echo', { text: 1 }, 'failed', 'refused'],
  ];
  for (const [name, args, stepStatus, status] of calls) {
    llm.requests.length = 0;
    llm.turn = (_request, number) =>
      number === 0
        ? { tool_calls: [{ name: 'connection_call', input: { id, tool: name, arguments: args } }] }
        : { text: 'Done.' };
    const { body } = await ask('POST', '/api/agents/core-agent/chat', { message: `Call ${name} of my connection.` });
    const [step] = body.steps;
    assert.deepEqual([step?.tool, step?.status], ['connection_call', stepStatus], JSON.stringify(body));
    const predicate = await verified(ask, step.receipt_id);
    assert.deepEqual([predicate.status, predicate.tool.name], [status, name]);
    const told = JSON.stringify(llm.requests.at(-1)?.body.messages);
    assert.equal(told.includes(step.receipt_id), status !== 'refused', told);
    const page = await ask('GET', `/api/agents/core-agent/conversations/${body.conversation_id}`);
    assert.equal(page.body.items[0]?.steps[0]?.receipt_id, step.receipt_id);
  }
});

test("a rig's model calls a tool of a connection: the call and the run have a receipt each, and both verify", async () => {
  const ask = await signedUp();
  const { id } = (await ask('POST', '/api/sessions/connections', { url: fake.url })).body;
  const yaml = JSON.stringify({
    apiVersion: 'registry/v1',
    kind: 'Rig',
    metadata: { name: 'asks', version: '1.0.0' },
    spec: {
      model: { prefer: ['compatible/fake-1'] },
      servers: [{ name: 'own', digest: '', connection: id, tools: { allow: ['echo'] } }],
      prompt: 'Ask.',
    },
  });
  const made = await ask('POST', '/api/rigs', { yaml });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const locked = await ask('POST', '/api/rigs/asks/resolve', {});
  assert.equal(locked.status, 200, JSON.stringify(locked.body));
  llm.requests.length = 0;
  llm.turn = (_request, number) =>
    number === 0 ? { tool_calls: [{ name: 'own__echo', input: { text: 'from a rig' } }] } : { text: 'Done.' };
  const { body: task } = await ask('POST', '/api/rigs/asks/run', { input: {} });
  const ended = await until('an end of the rig', async () => {
    const { body } = await ask('GET', `/api/agents/tasks/${task.id}`);
    return !['submitted', 'working'].includes(body.status) && body;
  });
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error));
  assert.equal((await verified(ask, ended.receipt_id)).run_id, task.id);
  const { spans } = (await ask('GET', `/api/agents/tasks/${task.id}/trace`)).body;
  const [call] = spans.filter(({ name }: { name: string }) => name === 'tools/call echo');
  const predicate = await verified(ask, call.attributes['capstan.receipt.id']);
  assert.deepEqual([predicate.status, predicate.tool.name], ['completed', 'echo']);
  assert.equal(predicate.tool.server, new URL(fake.url).origin);
});

const asking = (ask: Awaited<ReturnType<typeof signedUp>>, id: string) =>
  until('a question', async () => {
    const { body } = await ask('GET', `/api/agents/tasks/${id}`);
    assert.ok(!['failed', 'completed', 'rejected'].includes(body.status), JSON.stringify(body));
    return body.status === 'input_required' && body;
  });

const ended = (ask: Awaited<ReturnType<typeof signedUp>>, id: string) =>
  until('an end', async () => {
    const { body } = await ask('GET', `/api/agents/tasks/${id}`);
    return ['completed', 'failed', 'rejected', 'cancelled'].includes(body.status) && body;
  });

test('a question of a server in a task is answered over the API; the trace has the question and not the answer', async () => {
  const ask = await signedUp();
  const { id: connection } = (await ask('POST', '/api/sessions/connections', { url: fake.url })).body;
  const capability = { kind: 'connection', ref: `${connection}/book` };
  const { id } = (await ask('POST', '/api/agents/tasks', { capability, input: {} })).body;
  await ask('POST', `/api/agents/tasks/${id}/start`);
  assert.match((await asking(ask, id)).server_question.message, /asks: Which harbour\?$/);
  const input = { action: 'accept', content: { harbour: 'Wilhelmshaven' } };
  assert.equal((await ask('PUT', `/api/agents/tasks/${id}`, { input })).status, 200);
  const { status, output, trace_id } = await ended(ask, id);
  assert.deepEqual([status, output], ['completed', 'booked Wilhelmshaven']);
  const { spans } = (await ask('GET', `/api/traces/${trace_id}`)).body;
  assert.deepEqual(JSON.parse(spans[0].attributes['capstan.mcp.questions'])[0].action, 'accept');
  assert.doesNotMatch(JSON.stringify(spans[0].attributes['capstan.mcp.questions']), /Wilhelmshaven/);
});

test("a question of a server in a step of a rig waits for the rig's owner, and the model gets the result", async () => {
  const ask = await signedUp();
  const { id: connection } = (await ask('POST', '/api/sessions/connections', { url: fake.url })).body;
  const servers = [{ name: 'own', digest: '', connection, tools: { allow: ['book'] } }];
  const spec = { model: { prefer: ['compatible/fake-1'] }, servers, prompt: 'Book.' };
  const rig = { apiVersion: 'registry/v1', kind: 'Rig', metadata: { name: 'books', version: '1.0.0' }, spec };
  assert.equal((await ask('POST', '/api/rigs', { yaml: JSON.stringify(rig) })).status, 201);
  assert.equal((await ask('POST', '/api/rigs/books/resolve', {})).status, 200);
  llm.requests.length = 0;
  llm.turn = (_request, number) =>
    number === 0 ? { tool_calls: [{ name: 'own__book', input: {} }] } : { text: 'Done.' };
  const { id } = (await ask('POST', '/api/rigs/books/run', { input: {} })).body;
  await asking(ask, id);
  await ask('PUT', `/api/agents/tasks/${id}`, { input: { action: 'accept', content: { harbour: 'Husum' } } });
  assert.equal((await ended(ask, id)).status, 'completed');
  assert.match(JSON.stringify(llm.requests.at(-1)?.body.messages), /booked Husum/);
});
