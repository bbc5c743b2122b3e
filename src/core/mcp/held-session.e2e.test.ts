import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from '#core/outbound/outbound.ts';
import { type FakeTool, type McpFake, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { startMcpSseFake } from '#test/fakes/mcp-sse-server.ts';
import { until } from '#test/until.ts';
import { type HeldSession, openHeldSession } from './held-session.ts';
import type { McpLimits, McpSession } from './session.ts';

const { fetch } = createOutbound({ allow_loopback: true, user_agent: 'test' });
const LIMITS: McpLimits = { timeout_ms: 5_000, max_bytes: 200_000 };
const ERAS = ['modern', 'legacy', 'sessions'] as const;

const tools: FakeTool[] = [
  { name: 'echo', call: ({ text }) => textResult(String(text)) },
  { name: 'big', call: () => textResult('x'.repeat(150_000)) },
  {
    name: 'steps',
    call: async (_args, _meta, { progress }) => {
      for (const step of [1, 2, 3]) await progress(step, 3, `step ${step}`);
      return textResult('done');
    },
  },
];

async function held(fake: McpFake, on_tools_changed = () => {}): Promise<HeldSession> {
  const target = { url: fake.url, transport: 'streamable-http' } as const;
  const opened = await openHeldSession({ fetch, target, limits: LIMITS, on_tools_changed });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return opened.session;
}

const call =
  (name: string, args: Record<string, unknown> = {}, more = {}) =>
  async ({ callTool }: McpSession) => {
    const tool = { name, inputSchema: { type: 'object' as const } };
    const { content } = await callTool({ tool, arguments: args, ...more });
    return content[0]?.type === 'text' ? content[0].text : null;
  };

for (const era of ERAS)
  test(`one handshake serves concurrent calls, each with its own limits (${era})`, async () => {
    const fake = await startMcpFake(tools, { era });
    const session = await held(fake);
    const opening = fake.methods.length;
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => session.work(LIMITS, null, call('echo', { text: `${n}` }))),
      session.work({ ...LIMITS, max_bytes: 10_000 }, null, call('big')),
    ]);
    assert.deepEqual(
      answers.map((answer) => (answer.ok ? answer.value : answer.failure.reason)),
      ['0', '1', '2', '3', '4', 'too_large'],
    );
    assert.deepEqual(await session.work(LIMITS, null, call('echo', { text: 'after' })), { ok: true, value: 'after' });
    const since = fake.methods
      .slice(opening)
      .filter((method) => method === 'initialize' || method === 'server/discover');
    assert.deepEqual(since, []);
    assert.ok(fake.headers.every((header) => header['x-capstan-work'] === undefined));
    await session.close();
    await fake.close();
  });

for (const era of ERAS)
  test(`progress is reported, and an aborted call is cancelled at the server while others continue (${era})`, async () => {
    let [begun, givenUp] = [0, 0];
    const slow: FakeTool = {
      name: 'slow',
      call: (_args, _meta, { signal }) => {
        begun++;
        return new Promise(() => signal.addEventListener('abort', () => givenUp++));
      },
    };
    const fake = await startMcpFake([...tools, slow], { era });
    const session = await held(fake);
    const steps: unknown[] = [];
    const on_progress = (step: unknown) => steps.push(step);
    assert.deepEqual(await session.work(LIMITS, null, call('steps', {}, { on_progress })), { ok: true, value: 'done' });
    assert.deepEqual(steps.at(-1), { progress: 3, total: 3, message: 'step 3' });
    const abort = new AbortController();
    void until('the call', () => begun > 0).finally(() => abort.abort(new Error('enough')));
    const [ended, late, echoed] = await Promise.allSettled([
      session.work(LIMITS, abort.signal, call('slow')),
      session.work({ ...LIMITS, timeout_ms: 200 }, null, call('slow')),
      session.work(LIMITS, null, call('echo', { text: 'on' })),
    ]);
    assert.equal(ended.status === 'rejected' && ended.reason.message, 'enough');
    assert.equal(late.status === 'fulfilled' && !late.value.ok && late.value.failure.reason, 'timed_out');
    assert.deepEqual(echoed.status === 'fulfilled' && echoed.value, { ok: true, value: 'on' });
    // Without sessions, a server of 2025 cannot be notified.
    if (era !== 'legacy') {
      await until('the end of a call at the server', () => givenUp > 0);
    }
    await session.close();
    await fake.close();
  });

for (const era of ['modern', 'sessions'] as const)
  test(`a tools/list_changed notification is reported (${era})`, async () => {
    const fake = await startMcpFake(tools, { era });
    let told = 0;
    const session = await held(fake, () => told++);
    await until('word of other tools', () => {
      fake.changed();
      return told > 0;
    });
    await session.close();
    await fake.close();
  });

test('a session that the server forgot is reported as stale, and closing a session ends it', async () => {
  const fake = await startMcpFake(tools, { era: 'sessions' });
  const session = await held(fake);
  fake.forget();
  const answer = await session.work(LIMITS, null, call('echo', { text: 'x' }));
  assert.equal(!answer.ok && answer.failure.is_stale, true);
  const other = await held(fake);
  await other.close();
  assert.equal(other.ended.aborted, true);
  await fake.close();
});

test('a server of the older transport is reported, and a 401 includes its challenge', async () => {
  const older = await startMcpSseFake();
  const target = { url: older.url, transport: 'streamable-http' } as const;
  const opened = await openHeldSession({ fetch, target, limits: LIMITS, on_tools_changed: () => {} });
  assert.equal(!opened.ok && opened.elsewhere, true);
  await older.close();
  const fake = await startMcpFake(tools);
  const session = await held(fake);
  fake.fault = (_, response) => !response.writeHead(401, { 'www-authenticate': 'Bearer scope="more"' }).end().closed;
  const answer = await session.work(LIMITS, null, call('echo', { text: 'x' }));
  assert.deepEqual(!answer.ok && [answer.failure.reason, answer.failure.status, answer.failure.challenge], [
    'auth_needed',
    401,
    'Bearer scope="more"',
  ]);
  await session.close();
  await fake.close();
});
