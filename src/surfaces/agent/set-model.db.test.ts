import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller } = await agentsCalls();
const ada = await newCaller('free');

test('200: an available model; 409: an unavailable model, with the reason; 422: an unknown model', async () => {
  const choose = (model: string) => call('setModel', ada, { body: { model } });
  assert.deepEqual((await choose('builtin/planner')).body, { model: 'builtin/planner', is_llm: false });
  await assert.rejects(choose('openai/fake-1'), {
    code: 'agents.model_unavailable',
    status: 409,
    message: /_API_KEY is not set/,
  });
  await assert.rejects(choose('none/such'), { code: 'agents.model_invalid', status: 422 });
  assert.equal((await chat(ada, 'help')).model, 'builtin/planner');
});
