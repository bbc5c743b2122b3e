import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { type FakeTool, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import type { RunCaller } from './capability.ts';
import { checkInput } from './check-input.ts';
import { execute } from './execute.ts';
import { createResolve } from './resolve.ts';
import { resolveConnection } from './resolve-connection.ts';

const callerOf = (user_id: string | null): RunCaller => ({
  user_id,
  share: OWN_SHARE,
  charge: async () => {},
  refund: async () => {},
});
const text = { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] };
const tools = (): FakeTool[] => [
  {
    name: 'look',
    inputSchema: text,
    annotations: { readOnlyHint: true },
    call: ({ text }, { traceparent }) => textResult(JSON.stringify({ text, traceparent })),
  },
  { name: 'do/it', call: () => ({ ...textResult('no'), isError: true }) },
  { name: 'slow', call: () => new Promise(() => {}) },
];

eachDatabase('a tool of a connection', (open) => {
  test('resolves an accepted tool with a stable digest, and runs it in the trace of the run', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake(tools());
    const as = await stand.newUser();
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const resolve = createResolve({ connection: resolveConnection(stand.connections.calls, 'http://127.0.0.1:8080') });
    const of = (tool: string) => resolve({ kind: 'connection', ref: `${id}/${tool}` }, callerOf(as.id));
    const run = async (tool: string, input: unknown, signal = new AbortController().signal) =>
      execute(await of(tool), {
        input,
        signal,
        caller: callerOf(as.id),
        tracing: stand.tracing,
        record_content: false,
        limits: { timeout_ms: 500 },
      });
    const look = await of('look');
    assert.deepEqual([look.execution_class, look.repeatable, look.span.name], ['mcp', true, 'tools/call look']);
    assert.deepEqual([look.digest, look.version], [(await of('look')).digest, (await of('look')).version]);
    await checkInput(look, { text: 'x' }, OWN_SHARE);
    await assert.rejects(checkInput(look, { text: 1 }, OWN_SHARE), {
      code: 'runs.input_invalid',
      reason: 'input_unfit',
    });
    const done = await run('look', { text: 'x' });
    const output = done.output as { text: string; traceparent: string };
    assert.deepEqual([done.status, output.text, done.environment.network], ['completed', 'x', 'guarded']);
    assert.equal(output.traceparent, `00-${done.trace_id}-${done.span_id}-01`);
    assert.equal((await of('do/it')).repeatable, false);
    assert.equal((await run('do/it', {})).reason, 'tool_error');
    assert.equal((await run('slow', {})).reason, 'timed_out');
    assert.equal((await run('look', {})).reason, 'arguments_invalid');
    assert.equal((await run('slow', {}, AbortSignal.abort(new Error('enough')))).status, 'cancelled');
    await fake.close();
  });

  test('reports tools of other users as not found, changed tools, and connections without authorization', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake(tools());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = (await stand.connect(as, fake.url)).split('/').at(-1);
    const connection = resolveConnection(stand.connections.calls, 'http://127.0.0.1:8080');
    const resolve = createResolve({ connection }, undefined, () => [{ ref: 'glama/look', name: 'Look' }]);
    const codeOf = (ref: string, who: string | null) =>
      resolve({ kind: 'connection', ref }, callerOf(who)).then(
        () => 'ok',
        (error) => error.code,
      );
    assert.equal(await codeOf(`${id}/look`, as.id), 'ok');
    assert.equal(await codeOf(`${id}/look`, other.id), 'runs.not_found');
    assert.equal(await codeOf(`${id}/look`, null), 'runs.not_found');
    assert.equal(await codeOf(`${id}/nope`, as.id), 'runs.not_found');
    await assert.rejects(resolve({ kind: 'connection', ref: `${id}/looks` }, callerOf(as.id)), {
      message: 'The server does not offer the tool "looks". Similar tools: "look".',
    });
    assert.equal(await codeOf(`${id}`, as.id), 'runs.reference_invalid');
    (fake.tools[0] as FakeTool).description = 'other';
    stand.clock.ms += 61_000;
    assert.equal(await codeOf(`${id}/look`, as.id), 'connections.tool_conflict');
    fake.fault = (_, response) => !response.writeHead(401).end().closed;
    stand.clock.ms += 61_000;
    assert.equal(await codeOf(`${id}/look`, as.id), 'connections.authorization_required');
    await fake.close();
  });
});
