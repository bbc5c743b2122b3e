import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from '#core/outbound/outbound.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { NO_PACKAGES } from '#test/packages/no-packages.ts';
import { until } from '#test/until.ts';
import { type Destination, openUpstreams } from './upstreams.ts';

const { fetch } = createOutbound({ allow_loopback: true, user_agent: 'test' });
const LIMITS = { timeout_ms: 3_000, max_bytes: 100_000 };
const tools = [{ name: 'x', call: () => textResult('') }];

async function stand(options: { idle_ms?: number; most?: number } = {}) {
  const fake = await startMcpFake(tools, { era: 'sessions' });
  const upstreams = openUpstreams({
    fetch,
    packaged: NO_PACKAGES,
    idle_ms: 60_000,
    on_tools_changed: () => {},
    ...options,
  });
  const ended = { request: 0 };
  fake.fault = (request) => {
    if (request.method === 'DELETE') ended.request++;
    return false;
  };
  const to = (id: string, version = '1'): Destination => ({
    id,
    user_id: 'ana',
    package: null,
    version,
    url: fake.url,
    transport: 'streamable-http',
    headers: { 'x-version': version },
  });
  const use = (id: string, version?: string, limits = LIMITS, signal: AbortSignal | null = null) =>
    upstreams.through(to(id, version), limits, signal, (session) => session.listTools());
  return {
    fake,
    upstreams,
    use,
    ended,
    opened: () => fake.methods.filter((method) => method === 'initialize').length,
    close: async () => {
      await upstreams.close();
      await fake.close();
    },
  };
}

test('concurrent requests share one session per connection and credential version', async () => {
  const fixture = await stand();
  await Promise.all([fixture.use('a'), fixture.use('a'), fixture.use('a')]);
  assert.equal(fixture.opened(), 1);
  await fixture.use('a', '2');
  await fixture.use('b');
  assert.equal(fixture.opened(), 3);
  assert.ok(fixture.fake.headers.some((headers) => headers['x-version'] === '2'));
  fixture.upstreams.forget('a');
  await until('the end of a session', () => fixture.ended.request === 2);
  await fixture.close();
});

test('closes idle sessions here and at the server', async () => {
  const fixture = await stand({ idle_ms: 60 });
  await fixture.use('a');
  await until('the end of a session', () => fixture.ended.request === 1);
  await fixture.use('a');
  assert.equal(fixture.opened(), 2);
  await fixture.close();
});

test('closes the least recently used session above the limit', async () => {
  const fixture = await stand({ most: 2 });
  for (const id of ['a', 'b', 'a', 'c']) await fixture.use(id);
  await until('the end of a session', () => fixture.ended.request === 1);
  await fixture.use('a');
  assert.equal(fixture.opened(), 3);
  await fixture.use('b');
  assert.equal(fixture.opened(), 4);
  await fixture.close();
});

test('reports a timeout, an abort, a 503 and a lost session, and reconnects on the next use', async () => {
  const fixture = await stand();
  fixture.fake.fault = () => true;
  const hung = await fixture.use('a', '1', { ...LIMITS, timeout_ms: 150 });
  assert.equal(!hung.ok && hung.failure.reason, 'timed_out');
  const abort = new AbortController();
  fixture.fake.fault = () => {
    abort.abort(new Error('enough'));
    return true;
  };
  await assert.rejects(fixture.use('b', '1', LIMITS, abort.signal), /enough/);
  fixture.fake.fault = (_, response) => !response.writeHead(503).end().closed;
  const away = await fixture.use('c');
  assert.equal(!away.ok && away.failure.reason, 'unreachable');
  fixture.fake.fault = () => false;
  assert.equal((await fixture.use('c')).ok, true);
  fixture.fake.fault = (_, response, body) => body.includes('tools/list') && !response.writeHead(404).end().closed;
  const before = fixture.opened();
  const lost = await fixture.use('c');
  assert.equal(lost.ok, false);
  assert.equal(fixture.opened() - before, 1, 'opened again once');
  await fixture.close();
});
