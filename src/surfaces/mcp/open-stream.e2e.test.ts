import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from '#test/accounts.ts';
import { call, openMcpStand, rpc, slow } from '#test/mcp-stand.ts';
import { until } from '#test/until.ts';

/** Sessions over real sockets, because only clients that can be asked have one. */

const clock = { ms: Date.now(), now: () => clock.ms };
const { world } = await openMcpStand({}, undefined, clock);
const { url } = await world.listen();
const closed = new AbortController();
after(async () => {
  closed.abort();
  await world.close();
});
const account = await (await accountsOf(world, clock)).signUp();
const bearer = { authorization: `Bearer ${account.token}` };

type Headers = Record<string, string>;
const EVENTS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const send = (message: object, headers: Headers = {}) =>
  fetch(`${url}/mcp/jsonrpc`, { method: 'POST', headers: { ...EVENTS, ...headers }, body: JSON.stringify(message) });
const get = (headers: Headers) =>
  fetch(`${url}/mcp/jsonrpc`, { headers: { accept: 'text/event-stream', ...headers }, signal: closed.signal });

async function begin(headers: Headers = {}, capabilities: object = { elicitation: {} }): Promise<string | null> {
  const clientInfo = { name: 'test', version: '1' };
  const answer = await send(rpc('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }), headers);
  assert.equal(answer.status, 200);
  await answer.text();
  return answer.headers.get('mcp-session-id');
}

const within = (id: string | null): Headers => ({ 'mcp-session-id': `${id}` });

test('200: opens the stream of a session immediately; 409: a second stream', async () => {
  const session = within(await begin());
  const stream = await get(session);
  assert.deepEqual([stream.status, stream.headers.get('content-type')], [200, 'text/event-stream']);
  assert.equal((await get(session)).status, 409);
});

test('405: no session id; 404: an unknown session; clients without elicitation get no session', async () => {
  const none = await get({});
  assert.deepEqual([none.status, none.headers.get('allow')], [405, 'POST']);
  assert.equal((await get(within('gone'))).status, 404);
  assert.equal((await send(rpc('ping'), within('gone'))).status, 404);
  assert.equal(await begin({}, {}), null);
  assert.equal(await begin({ accept: 'application/json' }), null);
});

test('403: a request from a page of another origin', async () => {
  assert.equal((await get({ ...within(await begin()), origin: 'https://evil.example' })).status, 403);
});

test('404: a session of another client', async () => {
  const session = within(await begin(bearer));
  assert.equal((await send(rpc('ping'), { ...session, ...bearer })).status, 200);
  assert.equal((await send(rpc('ping'), session)).status, 404);
});

test('sends a tool’s question to the client during a call, and the answer to the tool', async () => {
  const session = within(await begin());
  const answer = await send(call('hello'), session);
  const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const asked = JSON.parse(`${(await events?.read())?.value}`.split('data: ')[1] as string);
  assert.equal(asked.method, 'elicitation/create');
  const again = await send(call('hello'), session);
  const { error } = (await again.json()) as { error: { code: number } };
  assert.deepEqual([again.status, error.code], [400, -32600], 'an id that is not answered yet');
  const result = { action: 'accept', content: { name: 'Ada' } };
  assert.equal((await send({ jsonrpc: '2.0', id: asked.id, result }, session)).status, 202);
  assert.match(`${(await events?.read())?.value}`, /Hello, Ada\./);
  await events?.read();
  assert.equal((await send(rpc('ping'), session)).status, 200, 'the id is free again');
});

test('notifications/cancelled aborts a call in a session', async () => {
  const session = within(await begin());
  const answer = await send(call('slow', {}, { _meta: { progressToken: 1 } }), session);
  const events = answer.body?.getReader();
  await events?.read();
  const before = slow.given_up;
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, session);
  await until('the end of what was called', () => slow.given_up !== before);
  assert.equal(slow.given_up, before + 1);
  await events?.cancel();
});

test('ends idle sessions, and unused ones of the same owner to make room', async () => {
  const first = await begin(bearer);
  const rest: (string | null)[] = [];
  for (let n = 0; n < 9; n++) rest.push(await begin(bearer));
  assert.equal(rest[8], null, 'with the one of before there are ten, and all are in use');
  clock.ms += 60_000;
  for (const id of rest.slice(0, 8)) assert.equal((await send(rpc('ping'), { ...within(id), ...bearer })).status, 200);
  for (let n = 0; n < 2; n++) rest.push(await begin(bearer));
  const status = async (id: string | null) => (await send(rpc('ping'), { ...within(id), ...bearer })).status;
  assert.equal(await status(first), 404);
  assert.equal(await status(rest[10] ?? null), 200);
  clock.ms += 31 * 60_000;
  const { token } = await (await accountsOf(world, clock)).signUp();
  assert.equal(typeof (await begin({ authorization: `Bearer ${token}` })), 'string');
  assert.equal(await status(rest[10] ?? null), 404);
});
