import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from '#core/outbound/outbound.ts';
import { listing, type McpFake, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { startMcpSseFake } from '#test/fakes/mcp-sse-server.ts';
import { type McpLimits, type McpSession, withMcpSession } from './session.ts';
import { leftOutText } from './tool-listing.ts';

const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
const guarded = createOutbound({ allow_loopback: false, user_agent: 'test' });
const LIMITS: McpLimits = { timeout_ms: 5_000, max_bytes: 200_000 };

function session<T>(
  target: string | { url: string; transport: 'sse' | 'streamable-http' },
  work: (session: McpSession) => Promise<T>,
  limits: Partial<McpLimits> = {},
  signal: AbortSignal | null = null,
  { fetch } = outbound,
) {
  const to = typeof target === 'string' ? { url: target, transport: 'streamable-http' as const } : target;
  return withMcpSession(fetch, to, { ...LIMITS, ...limits }, signal, work);
}

const echo = {
  name: 'echo',
  call: (args: Record<string, unknown>, meta: Record<string, unknown>) =>
    textResult(JSON.stringify({ args, traceparent: meta.traceparent })),
};

async function callEcho({ listTools, callTool, protocol_version }: McpSession) {
  const [tool] = (await listTools()).tools;
  assert.ok(tool !== undefined);
  const { content } = await callTool({
    tool,
    arguments: { a: 1 },
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  });
  return { protocol_version, said: content[0]?.type === 'text' ? JSON.parse(content[0].text) : null };
}

async function reasonOf(answer: ReturnType<typeof session>) {
  const mcpAnswer = await answer;
  return mcpAnswer.ok ? 'ok' : mcpAnswer.failure.reason;
}

test('servers of both protocol eras list and call tools and receive the trace context', async () => {
  for (const [era, version] of [
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
    ['both', '2026-07-28'],
  ] as const) {
    const fake = await startMcpFake([echo], { era });
    const answer = await session(fake.url, callEcho);
    await fake.close();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    assert.deepEqual(answer, {
      ok: true,
      value: { protocol_version: version, said: { args: { a: 1 }, traceparent } },
    });
  }
});

const faults: [string, string, McpFake['fault']][] = [
  ['HTML', 'not_mcp', (_, response) => !response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi').closed],
  ['404', 'not_mcp', (_, response) => !response.writeHead(404).end().closed],
  [
    'invalid JSON',
    'not_mcp',
    (_, response) => !response.writeHead(200, { 'content-type': 'application/json' }).end('{').closed,
  ],
  [
    'JSON that is not JSON-RPC',
    'not_mcp',
    (_, response) => !response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}').closed,
  ],
  ['401', 'auth_needed', (_, response) => !response.writeHead(401, { 'www-authenticate': 'Bearer' }).end().closed],
  ['403', 'auth_needed', (_, response) => !response.writeHead(403).end().closed],
  ['503', 'unreachable', (_, response) => !response.writeHead(503).end().closed],
  ['a cut connection', 'unreachable', (_, response) => Boolean(response.destroy())],
  ['silence', 'timed_out', () => true],
  [
    'a stream without an end',
    'timed_out',
    (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': x\n\n'),
  ],
  [
    'a huge answer',
    'too_large',
    (_, response) => !response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(300_000)).closed,
  ],
];

test('a server that is not MCP, fails or hangs is reported with its reason', async () => {
  for (const [what, reason, fault] of faults) {
    const fake = await startMcpFake();
    fake.fault = fault;
    assert.equal(await reasonOf(session(fake.url, ({ listTools }) => listTools(), { timeout_ms: 700 })), reason, what);
    await fake.close();
  }
});

test('an unreachable server is reported, and private addresses and redirects to them are refused in production', async () => {
  const fake = await startMcpFake([echo]);
  assert.equal(await reasonOf(session(fake.url, callEcho, {}, null, guarded)), 'unreachable');
  await fake.close();
  assert.equal(await reasonOf(session(fake.url, callEcho)), 'unreachable');
  const redirecting = await startMcpFake([echo]);
  redirecting.fault = (_, response) =>
    !response.writeHead(307, { location: 'http://169.254.169.254/mcp' }).end().closed;
  assert.equal(await reasonOf(session(redirecting.url, callEcho)), 'unreachable');
  await redirecting.close();
});

test('the total size of all responses of a session is limited', async () => {
  let calls = 0;
  const fake = await startMcpFake([{ name: 'big', call: () => textResult(`${++calls}${'x'.repeat(60_000)}`) }]);
  const answer = session(fake.url, async ({ listTools, callTool }) => {
    const [tool] = (await listTools()).tools;
    assert.ok(tool !== undefined);
    for (;;) await callTool({ tool, arguments: {} });
  });
  assert.equal(await reasonOf(answer), 'too_large');
  assert.ok(calls <= 4, `${calls} calls`);
  await fake.close();
});

test("an abort ends the session with the caller's reason", async () => {
  const abort = new AbortController();
  const call = () => {
    abort.abort(new Error('enough'));
    return new Promise<never>(() => {});
  };
  const fake = await startMcpFake([{ name: 'slow', call }]);
  const answer = session(
    fake.url,
    async ({ listTools, callTool }) => {
      const [tool] = (await listTools()).tools;
      assert.ok(tool !== undefined);
      return callTool({ tool, arguments: {} });
    },
    {},
    abort.signal,
  );
  await assert.rejects(answer, /enough/);
  await fake.close();
});

test("a catastrophic pattern in a tool's output schema is not evaluated", async () => {
  const slow = { type: 'object' as const, properties: { a: { type: 'string' as const, pattern: '^(a+)+$' } } };
  const text = { a: `${'a'.repeat(40)}!` };
  const fake = await startMcpFake([
    { name: 'x', outputSchema: slow, call: () => ({ content: [], structuredContent: text }) },
  ]);
  const answer = await session(fake.url, async ({ listTools, callTool }) => {
    const [tool] = (await listTools()).tools;
    assert.ok(tool !== undefined);
    return (await callTool({ tool, arguments: {} })).structuredContent;
  });
  assert.deepEqual(answer, { ok: true, value: text });
  await fake.close();
});

test('a protocol error during a call is returned as a failure', async () => {
  const fake = await startMcpFake([echo]);
  const gone = await session(fake.url, async ({ listTools, callTool }) => {
    const [tool] = (await listTools()).tools;
    assert.ok(tool !== undefined);
    return callTool({ tool: { ...tool, name: 'nope' }, arguments: {} });
  });
  assert.equal(gone.ok, false);
  assert.match(gone.ok ? '' : `${gone.failure.reason} ${gone.failure.detail}`, /^refused .*no tool nope/);
  await fake.close();
});

test('older servers are reached over SSE, listed or detected, but not across origins', async () => {
  for (const transport of ['sse', 'streamable-http'] as const) {
    const fake = await startMcpSseFake();
    const answer = await session({ url: fake.url, transport }, async ({ listTools, callTool, protocol_version }) => {
      const [tool] = (await listTools()).tools;
      assert.ok(tool !== undefined);
      return [protocol_version, (await callTool({ tool, arguments: {} })).content];
    });
    await fake.close();
    assert.deepEqual(
      answer,
      { ok: true, value: ['2024-11-05', [{ type: 'text', text: 'from the stream' }]] },
      transport,
    );
  }
  const [fake, other] = [await startMcpSseFake(), await startMcpSseFake()];
  fake.endpoint = other.url.replace('/sse', '/messages');
  const answer = session({ url: fake.url, transport: 'sse' }, ({ listTools }) => listTools(), { timeout_ms: 1_000 });
  assert.notEqual(await reasonOf(answer), 'ok');
  assert.deepEqual(other.methods, []);
  await Promise.all([fake.close(), other.close()]);
});

test('a server that ends its stream with retry: 0 is not reconnected to in a loop', async () => {
  const fake = await startMcpFake([echo], { era: 'legacy' });
  let opened = 0;
  fake.fault = (request, response) => {
    if (request.method !== 'GET') return false;
    opened += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\n\n');
    return true;
  };
  const CALLS = 40;
  await session(fake.url, async ({ listTools }) => {
    for (let calls = 0; calls < CALLS; calls++) await listTools();
  });
  assert.ok(opened < CALLS / 4, `${opened} streams`);
  await fake.close();
});

test('listTools() returns the valid tools, and reports the invalid ones with the reason', async () => {
  const schema = { type: 'object' };
  const broken = [
    { name: 'no type\u202e\n', inputSchema: { anyOf: [] } },
    { inputSchema: schema },
    null,
    { name: 'text', inputSchema: schema, description: 7 },
  ];
  const tools = [{ name: 'a', inputSchema: schema }, ...broken, { name: 'b', inputSchema: schema }];
  for (const [era, own] of [
    ['legacy', { name: 'own', inputSchema: schema, outputSchema: { type: 'array' } }],
    ['modern', { name: 'own', inputSchema: { type: 'object', $schema: 7 } }],
  ] as const) {
    const fake = await startMcpFake([], { era });
    fake.fault = listing([own, ...tools]);
    const answer = await session(fake.url, (mcp) => mcp.listTools());
    await fake.close();
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(
      answer.value.tools.map(({ name }) => name),
      ['a', 'b'],
    );
    const { count, tools: named } = answer.value.left_out;
    assert.equal(count, 5);
    assert.deepEqual(
      named.map(({ name, reason }) => [name, reason.split(':')[0]]),
      [
        ['own', era === 'legacy' ? 'outputSchema.type' : 'inputSchema.$schema'],
        ['no type⟨U+202E⟩', 'inputSchema.type'],
        ['', 'name'],
        ['', 'it is not an object'],
        ['text', 'description'],
      ],
    );
  }
});

test('at most 20 invalid tools are reported by name, in a text of limited length', async () => {
  const fake = await startMcpFake();
  fake.fault = listing(Array.from({ length: 1_000 }, (_, at) => ({ name: `${at}${'n'.repeat(100)}`, [`${at}`]: 'x' })));
  const answer = await session(fake.url, (mcp) => mcp.listTools());
  await fake.close();
  assert.ok(answer.ok, JSON.stringify(answer));
  const { left_out, tools } = answer.value;
  assert.deepEqual([tools.length, left_out.count, left_out.tools.length], [0, 1_000, 20]);
  assert.match(leftOutText(left_out), /^1000 tools were left out.* and 997 more$/);
  assert.ok(leftOutText(left_out).length < 1_500);
});
