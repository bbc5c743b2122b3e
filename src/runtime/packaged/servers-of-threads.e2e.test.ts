import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { McpProgress, McpSession } from '#core/mcp/session.ts';
import { firstThread } from '#core/threads/first.ts';
import { furtherThread } from '#core/threads/further.ts';
import { packagedFixture } from '#test/packaged-stand.ts';
import { noPackagesHere } from '#test/packages/runtime.ts';
import { until } from '#test/until.ts';
import { serversOfThreads } from './servers-of-threads.ts';

/** Both ends of a message channel in one thread, because messages are copied there, too. */

const skip = await noPackagesHere();
const fixture = await packagedFixture();

async function twoThreads() {
  const first = firstThread(2);
  const { port1, port2 } = new MessageChannel();
  const line = first.admit(2, port1);
  const further = furtherThread({ count: 2, number: 2, port: port2 });
  const { servers, config, close } = fixture.servers();
  const own = serversOfThreads(first, config, () => servers);
  const other = serversOfThreads(further, config, () => assert.fail('boxes are in the first thread'));
  return {
    own,
    other,
    [Symbol.asyncDispose]: async () => {
      line.close();
      await close();
    },
  };
}

const order = (more: object = {}) => ({
  target: {
    transport: 'stdio' as const,
    package: { registry_type: 'npm', identifier: 'probe', version: '1.2.3', file_sha256: '', registry_base_url: '' },
    arguments: [],
    env: {},
    secrets: [],
    hosts: [],
  },
  kept: null,
  share: { user_id: 'ana', address: null },
  limits: { timeout_ms: 30_000, max_bytes: 4_000_000 },
  signal: null,
  ...more,
});

const call =
  (name: string, on_progress?: (progress: McpProgress) => void) =>
  async ({ listTools, callTool }: McpSession) => {
    const tool = (await listTools()).tools.find((each) => each.name === name);
    assert.ok(tool !== undefined);
    const { content } = await callTool({ tool, arguments: {}, on_progress });
    return content[0]?.type === 'text' ? JSON.parse(content[0].text) : null;
  };

test('another thread uses the boxes of the first thread, with steps and results', { skip }, async () => {
  await using threads = await twoThreads();
  const steps: string[] = [];
  const kept = { id: 'x', version: '1', on_tools_changed: () => {} };
  const on_step = ({ step }: { step: string }) => void steps.push(step);
  const told = await threads.other.through(order({ kept, on_step }), call('about'));
  assert.ok(told.answer.ok);
  assert.equal(steps.at(-1), 'starting');
  assert.equal(told.facts.purl, 'pkg:npm/probe@1.2.3');
  const again = await threads.own.through(order({ kept }), call('about'));
  assert.ok(again.answer.ok);
  assert.equal(again.answer.value.pid, told.answer.value.pid, 'the same box');
  assert.equal((await threads.other.status()).counts.boxes, 1);
  threads.other.forget('x');
  await until('the box has ended', async () => (await threads.other.status()).counts.boxes === 0);
});

test('passes progress, failures and thrown errors between threads', { skip }, async () => {
  await using threads = await twoThreads();
  const slow = new AbortController();
  const progress: McpProgress[] = [];
  const onProgress = (each: McpProgress) => {
    progress.push(each);
    slow.abort(new Error('enough'));
  };
  await assert.rejects(threads.other.through(order({ signal: slow.signal }), call('slow', onProgress)), /enough/);
  assert.deepEqual(progress, [{ progress: 1, total: 2, message: 'half' }]);
  const died = await threads.other.through(order(), call('die'));
  assert.ok(!died.answer.ok);
  assert.equal(died.answer.failure.reason, 'broken');
  const bug = async () => {
    throw new TypeError('of the work');
  };
  await assert.rejects(threads.other.through(order(), bug), /of the work/);
  const missing = order();
  missing.target.package.identifier = 'no-such';
  await assert.rejects(threads.other.through(missing, call('about')), { code: 'packages.not_found' });
  await until('nothing runs', async () => (await threads.own.status()).counts.boxes === 0);
});

test('a question of a server in a box reaches the call of another thread, and its answer the server', {
  skip,
}, async () => {
  await using threads = await twoThreads();
  const asked: string[] = [];
  const on_question: AskPerson = async ({ message }) => {
    asked.push(message);
    return { action: 'accept', content: { name: 'Ada' } };
  };
  const work = async ({ listTools, callTool }: McpSession) => {
    const tool = (await listTools()).tools.find(({ name }) => name === 'ask');
    assert.ok(tool !== undefined);
    return (await callTool({ tool, arguments: {}, on_question })).content;
  };
  const { answer } = await threads.other.through(order(), work);
  const text = JSON.stringify({ action: 'accept', content: { name: 'Ada' } });
  assert.deepEqual([asked, answer.ok && answer.value], [['Who?'], [{ type: 'text', text }]]);
});

test('answers in each thread what needs no box', async () => {
  await using threads = await twoThreads();
  const image = { ...order().target.package, registry_type: 'oci' };
  const wanted = { package: image, transport: 'sse' };
  assert.match(threads.other.refusal(wanted) ?? '', /CAPSTAN_OCI_REGISTRIES/);
  assert.match(threads.other.hostFault('10.0.0.1') ?? '', /host name/);
  const pinned = await threads.other.pin(order().target.package, new AbortController().signal);
  assert.equal(pinned.purl, 'pkg:npm/probe@1.2.3');
});
