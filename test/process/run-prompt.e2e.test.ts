import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '#test/until.ts';
import type { Turn } from '../fakes/llm/turn.ts';
import { startLlm } from '../fakes/llm.ts';
import { capstand, freshDir } from './capstand.ts';

const KEY = 'a-key-of-this-test-alone';
const ANSWER = '{"recommendation":"avoid"}';

async function run(env: Record<string, string>, ...more: string[]) {
  const program = capstand(['run', 'skill/listing-review', '--example', ...more], {
    DATA_DIR: await freshDir(),
    ...env,
  });
  program.child.stdin?.end();
  return program;
}

test('a prompt skill runs with the configured model, and is rejected without one', async () => {
  const turns: Turn[] = [
    { tool_calls: [{ name: 'load_skill', input: { name: 'listing-review' } }] },
    { tool_calls: [{ name: 'read_skill_resource', input: { path: 'references/signs.md' } }] },
    { text: ANSWER },
  ];
  const llm = await startLlm((_request, number) => turns[number % 3] as Turn, KEY);
  const env = { CAPSTAN_ANTHROPIC_URL: llm.url, CAPSTAN_ANTHROPIC_API_KEY: KEY };
  const done = await (await run(env)).ended;
  assert.deepEqual([done.code, done.stdout], [0, ANSWER], done.stderr);
  assert.match(done.stderr, /^trace [0-9a-f]{32}\nexecute_tool listing-review .* ok\n├─ chat claude-/);
  assert.equal(llm.requests[0]?.wire, 'messages');
  const wrong = await (await run({ ...env, CAPSTAN_ANTHROPIC_API_KEY: `${KEY}!`, LOG_LEVEL: 'trace' })).ended;
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /Anthropic rejected the request \(401\): Incorrect API key provided: \[redacted\]\./);
  assert.ok(!`${wrong.stdout}${wrong.stderr}`.includes(KEY));
  const none = await (await run({}, '--json')).ended;
  const { status, reason, output, model } = JSON.parse(none.stdout);
  assert.deepEqual([none.code, status, reason, output, model], [1, 'rejected', 'model_required', null, null]);
  await llm.close();
});

test('SIGINT cancels the request to the LLM provider and exits with 130', async () => {
  const llm = await startLlm(() => ({ text: 'long', fault: { stall: true } }));
  const hungUp = llm.hangUp();
  const program = await run({ CAPSTAN_LLM_URL: llm.url, CAPSTAN_LLM_MODELS: 'slow' });
  await until('the request', () => llm.requests.length > 0);
  program.child.kill('SIGINT');
  await hungUp;
  const { code, stderr } = await program.ended;
  assert.equal(code, 130, stderr);
  await llm.close();
});
