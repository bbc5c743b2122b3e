import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller } = await agentsCalls();
const ada = await newCaller('free');

test('200: the model, the tools and the quota, which the built-in planner does not use', async () => {
  await chat(ada, 'help');
  const { body } = await call('getStatus', ada);
  const { status, reason, model, is_llm, tools, queue, quota } = body;
  assert.deepEqual([status, reason, model, is_llm, queue], ['ready', null, 'builtin/planner', false, { at_work: 0 }]);
  assert.deepEqual([tools, quota.limit, quota.used], [['skill_search'], 100, 0]);
});
