import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StoredSpan } from '#core/traces/span.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { embeddedSandbox } from '#runtime/sandbox/embedded.ts';
import { proven } from '#runtime/sandbox/proven.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import { keepSpans } from '#test/kept-spans.ts';
import { skillRunner } from '#test/run-skill.ts';
import { sampleSkill as skill } from '#test/sample-skill.ts';
import type { ExecuteOrder } from './execute.ts';

const sandbox = embeddedSandbox();
const { tracing, spansOf } = keepSpans();
after(async () => {
  await sandbox.close();
});

const run = (source: string, more: Partial<ExecuteOrder> = {}) =>
  skillRunner({ sandbox, tracing })(skill(source), { text: 'hi' }, more);

test('a run returns its output, and its trace includes the version, digest and isolation', async () => {
  const chunks: string[] = [];
  const result = await run('jq -c "{got: .text}"', {
    record_content: true,
    on_output: (stream, chunk) => chunks.push(`${stream} ${Buffer.from(chunk)}`),
  });
  assert.deepEqual([result.status, result.exit_code, result.reason, result.error], ['completed', 0, null, null]);
  assert.deepEqual(result.output, { got: 'hi' });
  assert.deepEqual(chunks, ['stdout {"got":"hi"}\n']);
  const spans = await spansOf(result.trace_id);
  const root = spans.find((span) => span.parent_span_id === null);
  assert.equal(root?.name, 'execute_tool sample');
  assert.deepEqual(
    spans
      .filter((span) => span.parent_span_id === root?.span_id)
      .map((span) => span.name)
      .sort(),
    ['load_skill sample', 'run_script scripts/run.sh'],
  );
  const { attributes } = root as StoredSpan;
  assert.deepEqual(
    [attributes['gen_ai.skill.version'], attributes['capstan.skill.digest'], attributes['process.exit.code']],
    ['1.2.3', 'sha256:00', 0],
  );
  assert.equal(attributes['capstan.sandbox.isolation'], 'wasm+process');
  assert.equal(attributes['gen_ai.tool.call.arguments'], '{"text":"hi"}');
});

test('text output stays text, and spans contain no content unless recording is on', async () => {
  const result = await run('echo plain words');
  assert.equal(result.output, 'plain words\n');
  assert.doesNotMatch(JSON.stringify(await spansOf(result.trace_id)), /plain words/);
});

test('counts output files that were left out', async () => {
  const { output_files, files_left_out } = await run('cd /workspace/output; echo x > a; ln -s a b; echo x > "c\\d"');
  assert.deepEqual([[...output_files.keys()], files_left_out], [['a'], 2]);
  assert.equal((await run('true')).files_left_out, 0);
});

test('the trace of an engine crash includes its error output without host paths', async () => {
  const said =
    'file:///srv/capstan/src/runner.ts:12\nError: no /srv/capstan/node_modules/x at run (/srv/capstan/a.ts:1:2)';
  const broken: Sandbox = {
    ...sandbox,
    run: async (request) => ({
      ...(await sandbox.run(request)),
      status: 'failed',
      exit_code: null,
      engine_error: said,
    }),
  };
  const { trace_id, reason } = await skillRunner({ sandbox: broken, tracing })(skill('true'), {});
  const told = (await spansOf(trace_id)).map(({ attributes }) => attributes['capstan.sandbox.engine_error']);
  assert.equal(reason, 'engine_failed');
  assert.deepEqual(told.filter(Boolean), ['…/runner.ts:12\nError: no …/x at run (…/a.ts:1:2)']);
});

test('each kind of failure has a reason and a one-sentence message', async () => {
  const [exit, time, output] = await Promise.all([
    run('exit 9'),
    run('while true; do :; done', { limits: { timeout_ms: 400 } }),
    run('printf "%2000s" x', { limits: { output_bytes: 1_000 } }),
  ]);
  assert.deepEqual([exit.reason, exit.error, exit.exit_code], ['exit_code', 'The script ended with exit code 9.', 9]);
  assert.deepEqual([time.reason, time.error], ['timed_out', 'The script was stopped at its time limit of 0.4 s.']);
  assert.deepEqual(
    [output.reason, output.error],
    ['output_exceeded', 'The script was stopped because it wrote more than 1000 bytes of output.'],
  );
  const spans = await spansOf(time.trace_id);
  assert.deepEqual(spans.map((span) => span.status).sort(), ['error', 'error', 'unset']);
});

test('rejects a prompt skill without a model, and any script when the sandbox’s self-test failed', async () => {
  const prompt = await skillRunner({ sandbox, tracing })(skill('', { execution_class: 'prompt', entry: null }), {});
  assert.deepEqual([prompt.status, prompt.reason, prompt.environment.isolation], ['rejected', 'model_required', null]);
  const unsafe: Sandbox = {
    ...sandbox,
    run: () => assert.fail('nothing may run'),
    selfTest: async () => ({ ok: false, reason: 'Code in the sandbox could read files.' }),
  };
  const refused = await skillRunner({ sandbox: unsafe, tracing })(skill('echo x'), {});
  assert.deepEqual([refused.status, refused.reason], ['rejected', 'sandbox_unsafe']);
  assert.match(refused.error ?? '', /could read files/);
  assert.equal((await spansOf(refused.trace_id))[0]?.attributes['error.type'], 'sandbox_unsafe');
});

test('rejects a run when the sandbox is busy or too weak; a run canceled early has no isolation', async () => {
  const busy: Sandbox = {
    ...sandbox,
    run: () => Promise.reject(runtimeProblem('runs.unavailable', 'Ask again.', { reason: 'sandbox_busy' })),
  };
  const turnedAway = await skillRunner({ sandbox: busy, tracing })(skill('echo x'), {});
  assert.deepEqual(
    [turnedAway.status, turnedAway.reason, turnedAway.error],
    ['rejected', 'sandbox_busy', 'Ask again.'],
  );
  const weak = proven(sandbox, 'wasm+process+bwrap');
  const refused = await skillRunner({ sandbox: weak, tracing })(skill('echo x'), {});
  assert.deepEqual([refused.status, refused.reason], ['rejected', 'sandbox_too_weak']);
  assert.match(refused.error ?? '', /CAPSTAN_SANDBOX_MIN/);
  const cancelled = await skillRunner({ sandbox, tracing })(skill('echo x'), {}, { signal: AbortSignal.abort() });
  assert.deepEqual(
    [cancelled.status, cancelled.environment.isolation, cancelled.environment.engine],
    ['cancelled', null, null],
  );
});
