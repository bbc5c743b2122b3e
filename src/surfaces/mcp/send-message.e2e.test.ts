import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createLog } from '#core/log.ts';
import { accountsOf } from '#test/accounts.ts';
import { call, META, newer, openMcpStand, rpc, slow } from '#test/mcp-stand.ts';
import { until } from '#test/until.ts';

const lines: string[] = [];
const log = createLog('error', { write: (line: string) => void lines.push(line) });
const { world, post } = await openMcpStand({}, log);
after(() => world.close());
const account = await (await accountsOf(world)).signUp();
const reader = await account.newApiKey(['read']);
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const EVENTS = { accept: 'application/json, text/event-stream' };

/** Status, code and returned id. */
async function refused(message: unknown, headers = {}) {
  const { status, body } = await post(message, headers);
  return [status, body.error?.code, body.id];
}

test('400 -32600 and -32700: invalid messages', async () => {
  const ping = rpc('ping');
  assert.deepEqual(await refused([ping]), [400, -32600, null]);
  assert.deepEqual(await refused([]), [400, -32600, null]);
  assert.deepEqual(await refused('{"jsonrpc":'), [400, -32700, null]);
  assert.deepEqual(await refused(''), [400, -32700, null]);
  assert.deepEqual(await refused('"ping"'), [400, -32600, null]);
  assert.deepEqual(await refused({ ...ping, jsonrpc: '1.0' }), [400, -32600, 1]);
  assert.deepEqual(await refused({ ...ping, method: 7 }), [400, -32600, 1]);
  assert.deepEqual(await refused({ ...ping, params: [1] }), [400, -32600, 1]);
  assert.deepEqual(await refused({ jsonrpc: '2.0', id: 1, result: {} }), [400, -32600, null]);
});

test('400 -32600: null, invalid or too large ids', async () => {
  for (const id of ['null', '1.5', '1e400', '9007199254740993', 'true', '{}', '[1]'])
    assert.deepEqual(await refused(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`), [400, -32600, null], id);
  const { body } = await post(rpc('ping', {}, 'a'.repeat(1_000)));
  assert.equal(body.id.length, 1_000);
});

test('400 -32600: nested too deeply; 413: more than 1 MiB', async () => {
  const nested = (depth: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  assert.deepEqual(await refused(nested(70)), [400, -32600, null]);
  assert.deepEqual(await refused('['.repeat(500_000)), [400, -32600, null]);
  assert.deepEqual(await refused('{"a":'.repeat(100_000)), [400, -32600, null]);
  assert.equal((await post(nested(60))).status, 200);
  assert.equal((await post(rpc('ping', { a: '[[[['.repeat(50) }))).status, 200);
  const big = await post(rpc('ping', { a: 'x'.repeat(1_048_576) }));
  assert.deepEqual(
    [big.status, big.body.error.data.code, big.body.error.data.reason],
    [413, 'http.content_too_large', 'bytes'],
  );
  assert.equal((await post(call('echo', { text: 'x'.repeat(900_000) }))).status, 200);
});

test('415: another content type, or none', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/jsonp']) {
    const { status, body } = await post(rpc('ping'), { 'content-type': type });
    assert.deepEqual([status, body.error.data.code], [415, 'http.unsupported_media_type'], type);
  }
  assert.equal((await post(rpc('ping'), { 'content-type': 'application/json; charset=utf-8' })).status, 200);
});

test('400 -32022: an unsupported version, in either era', async () => {
  const older = await post(rpc('ping'), { 'mcp-protocol-version': '1999-01-01' });
  assert.deepEqual([older.status, older.body.error.code, older.body.id], [400, -32022, 1]);
  assert.ok(older.body.error.data.supported.includes('2025-11-25'));
  const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const headers = { ...newer('ping'), 'mcp-protocol-version': '2099-01-01' };
  const later = await post(rpc('ping', { _meta }), headers);
  assert.deepEqual([later.status, later.body.error.code], [400, -32022]);
  assert.deepEqual(later.body.error.data, { supported: ['2026-07-28'], requested: '2099-01-01' });
  assert.deepEqual(await refused(rpc('ping'), newer('ping')), [400, -32602, 1]);
});

test('-32601: an unknown method; 404 in the newer era, as specified', async () => {
  assert.deepEqual(await refused(rpc('tools/destroy')), [200, -32601, 1]);
  assert.deepEqual(await refused(rpc('constructor')), [200, -32601, 1]);
  assert.deepEqual(await refused(rpc('x', { _meta: META }), newer('x')), [404, -32601, 1]);
  assert.deepEqual(await refused(rpc('ping', { _meta: META }), newer('ping')), [404, -32601, 1]);
});

test('-32602: names invalid params; rejects forged and huge cursors', async () => {
  const said = async (method: string, params?: object) => (await post(rpc(method, params))).body.error;
  assert.match(
    (await said('initialize', {})).message,
    /protocolVersion is missing; capabilities is missing; clientInfo is missing/,
  );
  const client = { protocolVersion: '2025-11-25', clientInfo: { name: 'test', version: '1' } };
  const unclear = { ...client, capabilities: { elicitation: null } };
  const { code, message } = await said('initialize', unclear);
  assert.deepEqual([code, /^Invalid params for initialize: capabilities\/elicitation/.test(message)], [-32602, true]);
  assert.match((await said('tools/call', {})).message, /name is missing/);
  for (const name of [{ toString: 1 }, ['note'], null])
    assert.match((await said('tools/call', { name })).message, /name must be string/);
  assert.match((await said('tools/call', { name: 'echo', arguments: [] })).message, /arguments must be object/);
  assert.match((await said('resources/read', { uri: 7 })).message, /uri must be string/);
  assert.match((await said('prompts/get', { name: 'greet' })).message, /Missing arguments: whom/);
  assert.match((await said('prompts/get', { name: 'none' })).message, /Available: greet/);
  assert.match((await said('logging/setLevel', { level: 'loud' })).message, /level must be one of debug/);
  assert.deepEqual((await said('resources/read', { uri: 'note://none' })).data, { uri: 'note://none' });
  const first = (await post(rpc('tools/list'))).body.result;
  const forged = [`200${first.nextCursor.slice(3)}`, `${first.nextCursor}x`, '', '0', 'x'.repeat(100_000), '100.'];
  for (const cursor of forged) assert.equal((await said('tools/list', { cursor })).code, -32602, cursor.slice(0, 20));
  assert.equal((await said('prompts/list', { cursor: first.nextCursor })).code, -32602);
});

test('lists are paginated, and include only tools that the caller may call', async () => {
  const all = async (headers = {}) => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = (await post(rpc('tools/list', cursor === undefined ? {} : { cursor }), headers)).body;
      names.push(...result.tools.map((tool: { name: string }) => tool.name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    return names;
  };
  const anonymous = await all();
  assert.equal(anonymous.length, 108);
  assert.ok(!anonymous.includes('note') && !anonymous.includes('manage'));
  assert.deepEqual(await all(bearer(reader)), anonymous);
  assert.ok((await all(bearer(account.token))).includes('manage'));
});

test('401 and 403: a tool that needs a scope; both link to the resource metadata', async () => {
  const metadata = 'resource_metadata="http://127.0.0.1:0/.well-known/oauth-protected-resource/mcp/jsonrpc"';
  for (const [message, headers] of [
    [call('note'), {}],
    [call('note', {}, { _meta: META }), newer('tools/call', 'note')],
    [rpc('own/list'), {}],
  ] as const) {
    const answer = await post(message, headers);
    assert.deepEqual([answer.status, answer.body.id, answer.body.error.data.code], [401, 1, 'auth.token_required']);
    assert.equal(answer.headers.get('www-authenticate'), `Bearer realm="capstan", scope="read write", ${metadata}`);
  }
  // A client that was given `/mcp` rejects metadata of another resource.
  for (const [message, headers] of [
    [call('note'), {}],
    [rpc('ping'), bearer('x.y.z')],
  ] as const) {
    const sent = { 'content-type': 'application/json', ...EVENTS, ...headers };
    const answer = await world.fetch('/mcp', { method: 'POST', headers: sent, body: JSON.stringify(message) });
    assert.equal(answer.status, 401);
    const named = metadata.replace('/jsonrpc"', '"');
    assert.equal(
      answer.headers.get('www-authenticate')?.endsWith(named),
      true,
      `${answer.headers.get('www-authenticate')}`,
    );
  }
  const few = await post(call('note'), bearer(reader));
  assert.deepEqual([few.status, few.body.id], [403, 1]);
  assert.equal(
    few.headers.get('www-authenticate'),
    `Bearer realm="capstan", error="insufficient_scope", scope="read write", ${metadata}`,
  );
  const bad = await post(rpc('ping'), bearer('x.y.z'));
  assert.equal(bad.status, 401);
  assert.equal(bad.headers.get('www-authenticate'), `Bearer realm="capstan", error="invalid_token", ${metadata}`);
  assert.equal((await post(call('note'), bearer(account.token))).body.result.content[0].text, 'noted');
});

test('401: a revoked session', async () => {
  const { access_token } = await account.signIn();
  assert.equal((await post(call('note'), bearer(access_token))).status, 200);
  await world.fetch('/api/auth/logout', { method: 'POST', headers: bearer(access_token) });
  assert.equal((await post(call('note'), bearer(access_token))).status, 401);
  assert.equal((await post(rpc('tools/list'), bearer(access_token))).status, 401);
});

test('403: pages of other origins; loopback and allowed origins are accepted', async () => {
  const statusFrom = async (origin: string) => (await post(rpc('ping'), { origin })).status;
  assert.equal(await statusFrom('https://evil.example'), 403);
  assert.equal(await statusFrom('null'), 403);
  assert.equal(await statusFrom('http://127.0.0.1.evil.example'), 403);
  assert.equal(await statusFrom('http://localhost:6274'), 200);
  const allowed = await post(rpc('ping'), { origin: 'https://app.example' });
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
});

test('403: loopback origins in production; 429: more requests of an address than the limit', async () => {
  const CAPSTAN_SECRET_KEY = Buffer.from([...Array(32).keys()]).toString('base64');
  const env = { PUBLIC_URL: 'https://capstan.example', CAPSTAN_LIMIT_MCP: '2/1m', CAPSTAN_SECRET_KEY };
  const nowMs = Date.now();
  const production = await openMcpStand(env, undefined, { now: () => nowMs });
  assert.equal((await production.post(rpc('ping'), { origin: 'http://localhost:6274' })).status, 403);
  assert.equal((await production.post(rpc('ping'), { origin: 'https://capstan.example' })).status, 200);
  const limited = await production.post(rpc('ping'));
  assert.deepEqual(
    [limited.status, limited.body.error.data.code, limited.body.error.data.reason],
    [429, 'http.limit_exceeded', 'rate'],
  );
  await production.world.close();
});

test('202: any notification, known or not', async () => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/unheard-of']) {
    const { status, body } = await post({ jsonrpc: '2.0', method });
    assert.deepEqual([status, body], [202, '']);
  }
});

test('a tool failure is a result that names field and fix; a bug is logged once and reveals nothing', async () => {
  const failed = async (message: object) => {
    const { status, body } = await post(message);
    assert.deepEqual([status, body.result.isError], [200, true]);
    return { text: body.result.content[0].text, ...body.result._meta['capstan/problem'] };
  };
  const unfit = await failed(call('echo', { times: 10, of: 1 }));
  assert.match(unfit.text, /text is missing.*unknown fields: of.*times must be <= 9.*\(http\.invalid, input\)/s);
  assert.deepEqual([unfit.code, unfit.reason], ['http.invalid', 'input']);
  assert.equal((await failed(call('fails'))).text, 'There is no such listing. (registry.not_found)');
  assert.equal(
    (await failed(call('nameless'))).text,
    'Nothing is named "x". Find its id with marketplace_search. (runs.not_found)',
  );
  assert.equal((await failed(call('huge'))).code, 'mcp.result_too_large');
  lines.length = 0;
  const bug = await failed(call('broken'));
  assert.equal(bug.code, 'http.internal');
  assert.ok(!JSON.stringify(bug).includes('hunter2'));
  assert.deepEqual([lines.length, JSON.parse(lines[0] as string).request_id], [1, bug.request_id]);
  assert.deepEqual(await refused(call('none')), [200, -32602, 1]);
});

test('accepts any Accept header, and sends events only if requested and if there is progress', async () => {
  const _meta = { progressToken: 'p' };
  for (const accept of ['*/*', 'application/json']) {
    const { headers, body } = await post(call('steps', {}, { _meta }), { accept });
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(body.result.content[0].text, 'done');
  }
  const told = await post(call('steps', {}, { _meta }), EVENTS);
  assert.equal(told.headers.get('content-type'), 'text/event-stream');
  const messages = told.body.match(/^data: .*$/gm).map((text: string) => JSON.parse(text.slice(6)));
  assert.deepEqual(
    messages.map((message: { params?: { progress: number } }) => message.params?.progress),
    [1, 2, undefined],
  );
  assert.match((await post(call('steps'), EVENTS)).headers.get('content-type') ?? '', /^application\/json/);
});

test('aborts a call when its client disconnects', async () => {
  const before = { ...slow };
  const { url } = await world.listen();
  const gone = new AbortController();
  const body = JSON.stringify(call('slow', {}, { _meta: { progressToken: 1 } }));
  const headers = { ...EVENTS, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/mcp/jsonrpc`, { method: 'POST', headers, body, signal: gone.signal });
  const reader = answer.body?.getReader();
  await reader?.read();
  // The stream may start before its call does.
  await until('the call', () => slow.begun !== before.begun);
  assert.deepEqual(slow, { ...before, begun: before.begun + 1 });
  gone.abort();
  await until('the end of what was called', () => slow.given_up !== before.given_up);
  assert.equal(slow.given_up, before.given_up + 1);
});

test('traces calls with a credential, linked to the client’s trace, but not anonymous calls', async () => {
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
  const noted = await post(call('note', {}, { _meta: { traceparent } }), bearer(account.token));
  const headed = await post(call('note'), { ...bearer(account.token), traceparent });
  const traces = [noted, headed].map(({ body }) => body.result.structuredContent.traceparent.slice(3, 35));
  assert.ok(!traces.includes('ab'.repeat(16)));
  const found = await world.fetch(`/api/traces/${'ab'.repeat(16)}`, { headers: bearer(account.token) });
  const { linked } = (await found.json()) as { linked: { trace_id: string; name: string }[] };
  assert.deepEqual(linked.map((entry) => entry.trace_id).sort(), traces.sort());
  assert.deepEqual([...new Set(linked.map(({ name }) => name))], ['tools/call note']);
  assert.equal(
    (await post(call('echo', { text: 'a' }), { traceparent })).body.result.structuredContent.traceparent,
    null,
  );
});

test('2026-07-28: returns questions as input requests, accepts the answers, refuses another client’s state', async () => {
  const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const ask = async (more: object = {}, headers = {}) =>
    (await post(call('hello', {}, { _meta, ...more }), { ...newer('tools/call', 'hello'), ...headers })).body;
  const { requestState, inputRequests } = (await ask()).result;
  assert.equal(inputRequests.form_1.params.message, 'Who are you?');
  const answered = (content: object) => ({ requestState, inputResponses: { form_1: { action: 'accept', content } } });
  assert.equal((await ask(answered({ name: 'Ada' }))).result.content[0].text, 'Hello, Ada.');
  const again = (await ask(answered({ name: '' }))).result.inputRequests.form_1.params.message;
  assert.match(again, /^Who are you\? \(name must not have fewer than 1 characters\)$/);
  const declined = { requestState, inputResponses: { form_1: { action: 'decline' } } };
  assert.equal((await ask(declined)).result.content[0].text, 'Hello, whoever you are.');
  assert.equal((await ask(answered({ name: 'Eve' }), bearer(account.token))).error.code, -32602);
  assert.equal((await post(call('hello'))).body.result.content[0].text, 'Hello, whoever you are.');
});

test('resources, prompts, completions and extensions return their results', async () => {
  const result = async (method: string, params: object = {}) => (await post(rpc(method, params))).body.result;
  assert.deepEqual((await result('resources/templates/list')).resourceTemplates[0].uriTemplate, 'note://{id}');
  assert.deepEqual((await result('resources/read', { uri: 'note://a%20b' })).contents[0].text, 'note a b');
  assert.equal(
    (await result('prompts/get', { name: 'greet', arguments: { whom: 'Ada' } })).messages[0].content.text,
    'Greet Ada.',
  );
  const ref = { type: 'ref/resource', uri: 'note://{id}' };
  const completed = await result('completion/complete', { ref, argument: { name: 'id', value: 'ot' } });
  assert.deepEqual(completed.completion, { values: ['other'], hasMore: false });
  assert.deepEqual(await result('notes/list', { of: 'Ada' }), { notes: ['Ada'] });
  assert.equal((await post(rpc('notes/list', { of: 'nobody' }))).body.error.code, -32602);
  assert.deepEqual((await post(rpc('own/list'), bearer(account.token))).body.result, { own: [] });
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const { capabilities, instructions, protocolVersion } = await result('initialize', hello);
  assert.deepEqual(capabilities.extensions, { 'example/notes': { version: 1 }, 'example/own': {} });
  assert.deepEqual([protocolVersion, instructions.length < 600], ['2025-11-25', true]);
});
