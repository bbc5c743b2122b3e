import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { TASK_STATES } from '#runtime/tasks/states.ts';
import { type Account, accountsOf } from '#test/accounts.ts';
import { openWorld } from '#test/world.ts';
import { wireState } from './states.ts';
import { followTask } from './turn-tasks.ts';

/** The official client against the app, answered by the planner. No worker runs, so tasks keep running. */

const world = await openWorld();
after(() => world.close());
const accounts = await accountsOf(world);
const ada = await accounts.signUp();
const eve = await accounts.signUp();

async function clientOf({ token }: Pick<Account, 'token'>): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(`${input}`);
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${token}` };
    return world.fetch(pathname + search, { ...init, headers } as never);
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const card = await (await world.fetch('/.well-known/agent-card.json')).json();
  return new ClientFactory({ transports }).createFromAgentCard(card as never);
}
const [client, stranger] = [await clientOf(ada), await clientOf(eve)];

const saying = (text: string, more: Partial<Message> = {}) => ({
  tenant: '',
  message: {
    messageId: `m ${text}`,
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text' as const, value: text }, mediaType: '', filename: '', metadata: undefined }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  },
  configuration: undefined,
  metadata: undefined,
});
const ask = async (text: string, more: Partial<Message> = {}, by = client) =>
  (await by.sendMessage(saying(text, more))) as Task;
const gather = (events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> => Array.fromAsync(events);
const get = (id: string, by = client) => by.getTask({ tenant: '', id });
const said = (task: Task | undefined) =>
  task?.artifacts.map(({ parts }) => parts.map(({ content }) => content?.value).join('')).join('');

test('discovery lists the agent card and reports the A2A protocol as available', async () => {
  const { items } = await world.get<{ items: { card_url: string | null }[] }>('/api/discovery/agents');
  assert.deepEqual(
    items.map(({ card_url }) => card_url),
    ['/.well-known/agent-card.json'],
  );
  const protocols = await world.get<{ items: { name: string; status: string }[] }>('/api/discovery/protocols');
  assert.equal(protocols.items.find(({ name }) => name === 'a2a')?.status, 'available');
});

test('a message creates a completed task in a conversation, which the context id continues', async () => {
  const task = await ask('what can json-diff do?');
  assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
  assert.match(`${said(task)}`, /json-diff/);
  assert.deepEqual([task.history[0]?.messageId, task.metadata?.capstan.is_llm], ['m what can json-diff do?', false]);
  const again = await ask('find a skill for csv', { contextId: task.contextId });
  assert.equal(again.contextId, task.contextId);
  const { items } = (await (
    await world.fetch(`/api/agents/core-agent/conversations/${task.contextId}`, { headers: bearer(ada.token) })
  ).json()) as { items: { id: string }[] };
  assert.deepEqual(
    items.map(({ id }) => id),
    [task.id, again.id],
  );
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('a stream begins with its task, reports steps and text in order, and adds up to the stored answer', async () => {
  const events = await gather(client.sendMessageStream(saying('find a skill that compares two JSON documents')));
  const [first] = events;
  assert.equal(first?.payload?.$case === 'task' && first.payload.value.status?.state, TaskState.TASK_STATE_WORKING);
  let text = '';
  for (const { payload } of events)
    if (payload?.$case === 'artifactUpdate')
      text = `${payload.value.append ? text : ''}${payload.value.artifact?.parts[0]?.content?.value}`;
  const statuses = events.flatMap(({ payload }) => (payload?.$case === 'statusUpdate' ? [payload.value] : []));
  assert.match(`${statuses[0]?.status?.message?.parts[0]?.content?.value}`, /^Calls /);
  assert.equal(statuses.at(-1)?.status?.state, TaskState.TASK_STATE_COMPLETED);
  const kept = await get(`${statuses.at(-1)?.taskId}`);
  assert.equal(text, said(kept));
});

test('returns at once on request, and a running task can be subscribed to and canceled', async () => {
  const order = saying('run json-diff with before={"a":1} after={"a":2}');
  const begun = (await client.sendMessage({ ...order, configuration: { ...NO_WAIT } })) as Task;
  assert.equal(begun.status?.state, TaskState.TASK_STATE_WORKING);
  const watching = gather(client.resubscribeTask({ tenant: '', id: begun.id }));
  const cancelled = await client.cancelTask({ tenant: '', id: begun.id, metadata: undefined });
  assert.equal(cancelled.status?.state, TaskState.TASK_STATE_CANCELED);
  const watched = await watching;
  assert.equal(watched[0]?.payload?.$case, 'task');
  const last = watched.at(-1)?.payload;
  assert.equal(last?.$case === 'statusUpdate' && last.value.status?.state, TaskState.TASK_STATE_CANCELED);
  await assert.rejects(client.resubscribeTask({ tenant: '', id: begun.id }).next(), /cannot be subscribed to/);
  await assert.rejects(ask('more', { taskId: begun.id }), /accepts no more messages/);
  assert.equal((await client.cancelTask({ tenant: '', id: begun.id, metadata: undefined })).status?.state, 5);
});

const NO_WAIT = {
  acceptedOutputModes: [],
  taskPushNotificationConfig: undefined,
  returnImmediately: true,
};

test('a Capstan task that a turn leaves running determines the state of the A2A task', async () => {
  const task = await ask('what can you do?');
  const made = await world.fetch('/api/agents/tasks', {
    method: 'POST',
    headers: { ...bearer(ada.token), 'content-type': 'application/json' },
    body: JSON.stringify({ capability: { kind: 'skill', ref: 'json-diff' }, input: { before: {}, after: {} } }),
  });
  const { id } = (await made.json()) as { id: string };
  const { db } = world.database;
  await followTask(db, task.id, id);
  const seen: string[] = [];
  for (const status of TASK_STATES) {
    await db.updateTable('tasks').set({ status }).where('id', '=', id).execute();
    seen.push(TaskState[(await get(task.id)).status?.state as TaskState] as string);
    const { tasks } = await client.listTasks({ ...LIST, status: (await get(task.id)).status?.state as TaskState });
    assert.ok(tasks.some((candidate) => candidate.id === task.id));
  }
  assert.deepEqual(seen, TASK_STATES.map(wireState));
  await db.updateTable('tasks').set({ status: 'input_required' }).where('id', '=', id).execute();
  const begun = (await client.sendMessage({
    ...saying('{"before": {"a": 1}, "after": {}}', { taskId: task.id }),
    configuration: NO_WAIT,
  })) as Task;
  assert.deepEqual([begun.id, begun.status?.state], [task.id, TaskState.TASK_STATE_WORKING]);
  const row = await db.selectFrom('tasks').select('input').where('id', '=', id).executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(row.input), { before: { a: 1 }, after: {} });
  await db.updateTable('tasks').set({ status: 'auth_required' }).where('id', '=', id).execute();
  const over = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  assert.equal(over.status?.state, TaskState.TASK_STATE_CANCELED);
});

const LIST = {
  tenant: '',
  contextId: '',
  status: TaskState.TASK_STATE_UNSPECIFIED,
  pageToken: '',
  statusTimestampAfter: undefined,
};

test('lists the caller’s own tasks in pages, newest first', async () => {
  const { contextId } = await ask('what can you do?');
  for (const text of ['find csv', 'find json']) await ask(text, { contextId });
  const pages: string[] = [];
  let [pageToken, total] = ['', 0];
  do {
    const page = await client.listTasks({ ...LIST, contextId, pageSize: 2, pageToken, historyLength: 1 });
    pages.push(page.tasks.map(({ history, artifacts }) => `${history[0]?.messageId} ${artifacts.length}`).join());
    [pageToken, total] = [page.nextPageToken, page.totalSize];
  } while (pageToken !== '');
  assert.deepEqual([pages, total], [['m find json 0,m find csv 0', 'm what can you do? 0'], 3]);
  assert.equal((await stranger.listTasks({ ...LIST, contextId })).totalSize, 0);
});

test('does not find another user’s task or context', async () => {
  const { id, contextId } = await ask('what can you do?');
  await assert.rejects(get(id, stranger), { name: 'TaskNotFoundError' });
  await assert.rejects(stranger.cancelTask({ tenant: '', id, metadata: undefined }), { name: 'TaskNotFoundError' });
  await assert.rejects(stranger.resubscribeTask({ tenant: '', id }).next(), { name: 'TaskNotFoundError' });
  await assert.rejects(ask('go on', { taskId: id }, stranger), { name: 'TaskNotFoundError' });
  await assert.rejects(ask('go on', { contextId }, stranger), /Conversation not found/);
});

/** The error code for a raw body, and the fields that the error names. */
async function refusal(body: unknown, headers: Record<string, string> = {}, token = ada.token) {
  const answer = await world.fetch('/a2a/core-agent', {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { id, error } = (await answer.json()) as { id: unknown; error?: { code: number; data?: Detail[] } };
  const fields = error?.data?.flatMap((detail) => detail.fieldViolations ?? []).map(({ field }) => field) ?? [];
  return [answer.status, error?.code ?? null, id, ...fields];
}

interface Detail {
  fieldViolations?: { field: string }[];
}

const call = (method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const message = (more: object) => ({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], ...more } });

test("rejects unreadable or invalid messages with the protocol's code", async () => {
  assert.deepEqual(await refusal('{'), [200, -32700, null]);
  assert.deepEqual(await refusal('['.repeat(100_000) + ']'.repeat(100_000)), [200, -32600, null]);
  assert.deepEqual(await refusal([call('GetTask')]), [200, -32600, null]);
  assert.deepEqual(await refusal({ ...call('GetTask'), jsonrpc: '1.0' }), [200, -32600, 7]);
  assert.deepEqual(await refusal(call('message/send')), [200, -32601, 7]);
  assert.deepEqual(await refusal(call('GetTask', [])), [200, -32602, 7, 'params']);
  assert.deepEqual(await refusal(call('GetTask', { id: 'nobody’s' })), [200, -32001, 7]);
  assert.deepEqual(await refusal(call('CancelTask', { id: 'nobody’s' })), [200, -32001, 7]);
  for (const method of ['Create', 'Get', 'List', 'Delete'])
    assert.deepEqual(
      (await refusal(call(`${method}TaskPushNotificationConfig${method === 'List' ? 's' : ''}`)))[1],
      -32003,
    );
  assert.deepEqual(await refusal(call('GetTask', { id: 'x' }), { 'content-type': 'text/plain' }), [200, -32005, null]);
  for (const version of ['', '0.3', '2.0'])
    assert.deepEqual(await refusal(call('GetTask', { id: 'x' }), { 'a2a-version': version }), [200, -32009, 7]);
  assert.deepEqual(await refusal(call('GetTask', { id: 'x' }), { 'a2a-version': '1.0.1' }), [200, -32001, 7]);
});

test('names invalid parameters and ignores unknown ones', async () => {
  const send = (params: unknown) => refusal(call('SendMessage', params));
  assert.deepEqual(await send({}), [200, -32602, 7, 'message']);
  assert.deepEqual(await send(message({ messageId: '', role: 'ROLE_AGENT', parts: [] })), [
    200,
    -32602,
    7,
    'message.messageId',
    'message.role',
    'message.parts',
  ]);
  assert.deepEqual(await send(message({ parts: [{ text: 'x', url: 'y' }, { text: 5 }] })), [
    200,
    -32602,
    7,
    'message.parts[0]',
    'message.parts[1].text',
  ]);
  assert.deepEqual(await send(message({ contextId: 'a\u0000' })), [200, -32602, 7, 'message.contextId']);
  assert.deepEqual(await send(message({ parts: [{ text: ' ' }] })), [200, -32602, 7]);
  assert.deepEqual(await send(message({ parts: [{ raw: 'AAAA', mediaType: 'image/png' }] })), [200, -32005, 7]);
  assert.deepEqual(await send(message({ parts: [{ text: 'x', mediaType: 'text/html' }] })), [200, -32005, 7]);
  const wanting = (configuration: object) => send({ ...message({}), configuration });
  assert.deepEqual(await wanting({ acceptedOutputModes: ['image/png'] }), [200, -32005, 7]);
  assert.deepEqual(await wanting({ taskPushNotificationConfig: { url: 'https://x.example' } }), [200, -32003, 7]);
  assert.deepEqual(await wanting({ historyLength: -1 }), [200, -32602, 7, 'configuration.historyLength']);
  assert.deepEqual(await refusal(call('ListTasks', { pageSize: 101, status: 'RUNNING', statusTimestampAfter: 'x' })), [
    200,
    -32602,
    7,
    'status',
    'pageSize',
    'statusTimestampAfter',
  ]);
  assert.deepEqual(await refusal(call('ListTasks', { status: { toString: 1 } })), [200, -32602, 7, 'status']);
  assert.deepEqual(await refusal(call('ListTasks', { page_size: 1e9, status_timestamp_after: 'x', tenant: {} })), [
    200,
    -32602,
    7,
    'tenant',
    'pageSize',
    'statusTimestampAfter',
  ]);
  const poison = { toString: 1 };
  for (const method of ['Create', 'Get', 'Delete'])
    assert.deepEqual(await refusal(call(`${method}TaskPushNotificationConfig`, { id: poison })), [
      200,
      -32602,
      7,
      'id',
    ]);
  assert.deepEqual(await send(message({ extensions: [poison], reference_task_ids: [poison] })), [
    200,
    -32602,
    7,
    'message.extensions',
    'message.referenceTaskIds',
  ]);
  assert.deepEqual(await refusal(call('ListTasks', { pageToken: 'x' })), [200, -32602, 7]);
  assert.deepEqual(await send({ ...message({ parts: [{ text: 'help' }], novel: 1 }), novel: { a: 1 } }), [
    200,
    null,
    7,
  ]);
  const unknown = await send({ ...message({}), metadata: { capstan: { model: 'no/such' } } });
  assert.deepEqual(unknown, [422, -32602, 7, '/model']);
});

test('a read-only credential can get tasks but neither send nor cancel', async () => {
  const { id } = await ask('what can you do?');
  const reader = await ada.newApiKey(['read']);
  assert.deepEqual(await refusal(call('GetTask', { id }), {}, reader), [200, null, 7]);
  for (const body of [
    call('SendMessage', message({})),
    call('SendStreamingMessage', message({})),
    call('CancelTask', { id }),
  ])
    assert.deepEqual((await refusal(body, {}, reader)).slice(0, 2), [403, -32000]);
});
