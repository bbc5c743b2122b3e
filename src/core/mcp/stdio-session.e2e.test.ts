import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStdio, stdioProgram } from '#test/fakes/stdio-server.ts';
import type { McpSession } from './session.ts';
import { openStdioSession, type StdioServer } from './stdio-session.ts';

const LIMITS = { timeout_ms: 20_000, max_bytes: 1_000_000 };

/** Opens a session and counts starts, because a server must be started only once, whatever the handshake does. */
async function open(program: string, timeout_ms = LIMITS.timeout_ms, signal: AbortSignal | null = null) {
  const started: StdioServer[] = [];
  const start = async () => {
    const server = await startStdio(program);
    started.push(server);
    return server;
  };
  const limits = { ...LIMITS, timeout_ms };
  const answer = await openStdioSession({ start, limits, on_tools_changed: () => {} }, signal);
  return { answer, started };
}

const call =
  (name: string) =>
  async ({ listTools, callTool }: McpSession) => {
    const tool = (await listTools()).tools.find((one) => one.name === name);
    assert.ok(tool !== undefined);
    return (await callTool({ tool, arguments: {} })).content;
  };

function isAlive(server: StdioServer | undefined): boolean {
  try {
    return process.kill((server as { pid?: number }).pid as number, 0);
  } catch {
    return false;
  }
}

test('a server is started once, its tools are called, and it ends with the session', async () => {
  const { answer, started } = await open(stdioProgram(`console.log('ready');`));
  assert.ok(answer.ok);
  const said = await answer.value.work(LIMITS, null, call('now'));
  assert.deepEqual(said, { ok: true, value: [{ type: 'text', text: 'noon' }] });
  await answer.value.close();
  assert.equal(started.length, 1);
  await started[0]?.gone;
  assert.equal(isAlive(started[0]), false);
});

test('a server that exits immediately fails with start_failed and its exit code', async () => {
  const { answer } = await open(`process.exit(3)`);
  assert.ok(!answer.ok);
  assert.deepEqual(
    [answer.failure.reason, answer.failure.detail],
    ['start_failed', 'The program ended with exit code 3'],
  );
});

test('a server that never responds fails with timed_out, and its process is killed', async () => {
  const { answer, started } = await open(`setInterval(() => {}, 1_000)`, 300);
  assert.ok(!answer.ok);
  assert.equal(answer.failure.reason, 'timed_out');
  assert.equal(isAlive(started[0]), false);
});

test('a server that exits during a call fails the call as broken and ends the session', async () => {
  const { answer } = await open(stdioProgram());
  assert.ok(answer.ok);
  const said = await answer.value.work(LIMITS, null, call('die'));
  assert.ok(!said.ok);
  assert.deepEqual([said.failure.reason, said.failure.detail], ['broken', 'The program ended with exit code 7']);
  assert.ok(answer.value.ended.aborted);
});

test('an aborted call throws its reason, and the session continues', async () => {
  const { answer } = await open(stdioProgram());
  assert.ok(answer.ok);
  const session = answer.value;
  const givingUp = new AbortController();
  const sleeping = session.work(LIMITS, givingUp.signal, (mcp) => {
    const called = call('sleep')(mcp);
    givingUp.abort(new Error('given up'));
    return called;
  });
  await assert.rejects(sleeping, /given up/);
  assert.ok((await session.work(LIMITS, null, call('now'))).ok);
  await session.close();
});

test('an aborted start leaves no process', async () => {
  const givingUp = new AbortController();
  const started: StdioServer[] = [];
  const start = async () => {
    const server = await startStdio(`setInterval(() => {}, 1_000)`);
    started.push(server);
    givingUp.abort(new Error('given up'));
    return server;
  };
  const opening = openStdioSession({ start, limits: LIMITS, on_tools_changed: () => {} }, givingUp.signal);
  await assert.rejects(opening, /given up/);
  await started[0]?.gone;
  assert.equal(isAlive(started[0]), false);
});
