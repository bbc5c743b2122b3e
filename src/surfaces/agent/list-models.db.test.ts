import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller } = await agentsCalls();
const ada = await newCaller('free');

test('200: gives the reason for each unavailable model; the built-in planner is always available', async () => {
  await call('setModel', ada, { body: { model: 'builtin/planner' } });
  const { body } = await call('listModels', ada);
  assert.deepEqual([body.items[0].available, body.items[0].reason], [false, 'CAPSTAN_OPENAI_API_KEY is not set.']);
  assert.deepEqual(
    [body.items.at(-1).id, body.items.at(-1).available, body.current],
    ['builtin/planner', true, 'builtin/planner'],
  );
  assert.equal((await chat(ada, 'help')).is_llm, false);
});
