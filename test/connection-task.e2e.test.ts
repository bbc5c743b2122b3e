import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { accountsOf } from './accounts.ts';
import { startLlm } from './fakes/llm.ts';
import { type FakeTool, startMcpFake, textResult } from './fakes/mcp-server.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** From an address to a receipt: connected, called, and run as a task by the real app. */

const llm = await startLlm();
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const models = { CAPSTAN_LLM_URL: llm.url, CAPSTAN_LLM_MODELS: 'fake-1' };
const world = await openWorld({ ...models, PORT: `${port}`, PUBLIC_URL: base }, 'serve');
await world.listen();
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
const moor = {
  name: 'moor',
  call: async (_args: unknown, _meta: unknown, { ask: person }: { ask: FakeAsk }) => {
    const first = await person('Which harbour?', { harbour: { type: 'string' } });
    const second = await person('Which berth?', { berth: { type: 'integer' } });
    return textResult(`moored at ${first.content?.harbour}, berth ${second.content?.berth}`);
  },
};
const PAGE = { url: 'https://pay.example/start?one=secret', host: 'pay.example' };
const pay: FakeTool = {
  name: 'pay',
  call: async (_args, _meta, { open }) => textResult(`pay ${(await open('Sign in to pay.', PAGE.url)).action}`),
};
const fake = await startMcpFake([tool, fails, book, moor, pay], { era: 'sessions' });
after(async () => {
  await world.close();
  await fake.close();
  await llm.close();
});

async function signedUp() {
  const account = await (await accountsOf(world, systemClock, base)).signUp();
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

test('the chat shows a question of a server and continues after the answer; without a stream it is declined', async () => {
  const account = await (await accountsOf(world, systemClock, base)).signUp();
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const send = (path: string, body: object, more = {}) =>
    fetch(`${base}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const { id } = (await (await send('/api/sessions/connections', { url: fake.url })).json()) as { id: string };
  const say = (more = {}) => {
    llm.requests.length = 0;
    llm.turn = (_request, number) =>
      number === 0
        ? { tool_calls: [{ name: 'connection_call', input: { id, tool: 'book', arguments: {} } }] }
        : { text: 'Done.' };
    return send('/api/agents/core-agent/chat', { message: 'Call book of my connection.' }, more);
  };
  const answer = (question: string, content: object) =>
    send(`/api/agents/core-agent/questions/${question}`, { action: 'accept', content });
  const told = () => JSON.stringify(llm.requests.at(-1)?.body.messages);
  let text = '';
  let question = '';
  for await (const chunk of (await say({ accept: 'text/event-stream' })).body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const [, data] = /event: question\ndata: (.*)\n/.exec(text) ?? [];
    if (data === undefined || question !== '') continue;
    question = JSON.parse(data).id;
    assert.match(JSON.parse(data).message, /asks: Which harbour\?$/);
    assert.equal((await answer('none', {})).status, 404);
    assert.equal((await answer(question, { harbour: 'Norddeich' })).status, 200);
  }
  assert.match(text, /event: done/);
  assert.match(told(), /booked Norddeich/);
  assert.equal((await answer(question, {})).status, 404, 'it is answered once');
  await (await say()).json();
  assert.match(told(), /decline.*Nobody was asked, because the reply is not streamed/);
});

async function mcpClient(token: string, answers: Record<string, unknown>[]) {
  const asked: string[] = [];
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: answers.shift() as never };
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp/jsonrpc`), { requestInit }));
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  const call = async (name: string, args: object): Promise<any> =>
    (await client.callTool({ name, arguments: args as never })).structuredContent;
  return { asked, call, close: () => client.close() };
}

test('an MCP client passes two questions of a server on to its person, in a call and in a task', async () => {
  const { token } = await (await accountsOf(world, systemClock, base)).signUp();
  const answers = () => [{ harbour: 'Husum' }, { berth: 7 }];
  const client = await mcpClient(token, [...answers(), ...answers()]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: fake.url });
  const made = await fetch(`${base}/api/sessions/connections`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  const called = await client.call('connection_call', { id, tool: 'moor', arguments: {} });
  assert.equal(called.content[0].text, 'moored at Husum, berth 7');
  const capability = { kind: 'connection', ref: `${id}/moor` };
  const task = await client.call('task_create', { capability, input: {} });
  const ran = await client.call('task_start', { id: task.id, wait_ms: 20_000 });
  assert.deepEqual([ran.status, ran.output], ['completed', 'moored at Husum, berth 7']);
  assert.deepEqual(
    client.asked.map((text) => text.split(': ').at(-1)),
    ['Which harbour?', 'Which berth?', 'Which harbour?', 'Which berth?'],
  );
  await client.close();
});

for (const mode of ['auto', 'legacy'] as const)
  test(`an MCP client (${mode}) shows the page that a server asks to open; the page of a task links it; models do not see it`, async () => {
    const { token } = await (await accountsOf(world, systemClock, base)).signUp();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const made = await fetch(`${base}/api/sessions/connections`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: fake.url }),
    });
    const { id } = (await made.json()) as { id: string };
    const asked: unknown[] = [];
    const clientOf = async (elicitation: Record<string, Record<string, never>>) => {
      const client = new Client(
        { name: 'test', version: '1' },
        defined({ capabilities: { elicitation }, versionNegotiation: mode === 'auto' ? { mode } : undefined }),
      );
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push([params.mode, 'url' in params && params.url, params.message]);
        return { action: 'accept' };
      });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp/jsonrpc`), { requestInit }));
      return client;
    };
    const client = await clientOf({ url: {} });
    const order = { name: 'connection_call', arguments: { id, tool: 'pay', arguments: {} } };
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
    const said = (answer: any): string => answer.structuredContent.content[0].text;
    assert.equal(said(await client.callTool(order)), 'pay accept');
    assert.equal(asked.length, 1);
    const [[kind, url, message]] = asked as [string, string, string][] as [[string, string, string]];
    assert.deepEqual([kind, url], ['url', PAGE.url]);
    assert.match(message, /asks: Sign in to pay\.$/);
    const formsOnly = await clientOf({ form: {} });
    assert.equal(said(await formsOnly.callTool(order)), 'pay decline');
    assert.equal(asked.length, 1, 'a client that does not declare pages is not asked');

    const capability = { kind: 'connection', ref: `${id}/pay` };
    const task = async () => {
      const created = await fetch(`${base}/api/agents/tasks`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ capability, input: {} }),
      });
      const { id: taskId } = (await created.json()) as { id: string };
      await fetch(`${base}/api/agents/tasks/${taskId}/start`, { method: 'POST', headers });
      return taskId;
    };
    const taskId = await task();
    const open = await until('a question', async () => {
      // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
      const shown: any = await (await fetch(`${base}/api/agents/tasks/${taskId}`, { headers })).json();
      return shown.status === 'input_required' && shown;
    });
    assert.deepEqual(open.server_question.link, PAGE);
    const cookie = `capstan-token=${token}`;
    const page = await (await fetch(`${base}/runs/${taskId}`, { headers: { accept: 'text/html', cookie } })).text();
    assert.match(page, /pay\.example<\/code>/);
    assert.match(page, /href="https:\/\/pay\.example\/start\?one=secret"[^>]*rel="noopener noreferrer"/);
    const seen = JSON.stringify(await formsOnly.callTool({ name: 'task_get', arguments: { id: taskId } }));
    assert.ok(seen.includes('pay.example') && !seen.includes('secret'), seen);
    const started = await client.callTool({ name: 'task_start', arguments: { id: taskId, wait_ms: 20_000 } });
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
    assert.equal((started as any).structuredContent.output, 'pay accept');
    assert.equal(asked.length, 2);
    const spans = await (await fetch(`${base}/api/agents/tasks/${taskId}/trace`, { headers })).text();
    assert.ok(spans.includes('to open a page of pay.example') && !spans.includes('one=secret'));
    await Promise.all([client.close(), formsOnly.close()]);
  });

test('an A2A client sees what a server asks during its task, and answers it', async () => {
  const { token } = await (await accountsOf(world, systemClock, base)).signUp();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: fake.url });
  const made = await fetch(`${base}/api/sessions/connections`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
  const card = await (await fetch(`${base}/.well-known/agent-card.json`)).json();
  const client = await new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
  }).createFromAgentCard(card as never);
  const send = async (content: Part['content'], taskId = '') => {
    const parts = [{ content, mediaType: '', filename: '', metadata: undefined }];
    const message = { messageId: `m${Math.random()}`, contextId: '', taskId, role: Role.ROLE_USER, parts };
    const more = { metadata: undefined, extensions: [], referenceTaskIds: [] };
    return (await client.sendMessage({
      tenant: '',
      message: { ...message, ...more },
      configuration: undefined,
      metadata: undefined,
    })) as Task;
  };
  let started = '';
  llm.requests.length = 0;
  llm.turn = (request, number) => {
    if (number === 0)
      return {
        tool_calls: [
          { name: 'task_create', input: { capability: { kind: 'connection', ref: `${id}/book` }, input: {} } },
        ],
      };
    started ||= /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(JSON.stringify(request.body.messages.at(-1)))?.[0] ?? '';
    return number === 1
      ? { tool_calls: [{ name: 'task_start', input: { id: started, wait_ms: 20_000 } }] }
      : { text: 'Done.' };
  };
  const asked = await send({ $case: 'text', value: `Create a task of ${id}/book and start it.` });
  assert.equal(asked.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED, JSON.stringify(asked));
  assert.match(JSON.stringify(asked.status?.message), /Which harbour/);
  assert.equal(asked.metadata?.capstan.question.schema.properties.harbour.title, 'Harbour');
  const answer = { action: 'accept', content: { harbour: 'Emden' } };
  await send({ $case: 'data', value: answer }, asked.id);
  const done = await until('an end', async () => {
    const task = await client.getTask({ tenant: '', id: asked.id });
    return task.status?.state === TaskState.TASK_STATE_COMPLETED && task;
  });
  assert.match(JSON.stringify(done.artifacts), /booked Emden/);
});
