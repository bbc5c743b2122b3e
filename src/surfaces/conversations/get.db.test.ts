import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller } = await agentsCalls();
const ada = await newCaller('free');

test('200: a conversation with its turns; 404: another user’s conversation', async () => {
  const { conversation_id } = await chat(ada, 'help');
  await chat(ada, 'hello', conversation_id);
  const params = { id: conversation_id };
  const { body } = await call('getConversation', ada, { params });
  assert.deepEqual(
    body.items.map((item: { input: { content: string }[]; status: string }) => [item.input[0]?.content, item.status]),
    [
      ['help', 'completed'],
      ['hello', 'completed'],
    ],
  );
  const code = 'agents.not_found';
  await assert.rejects(call('getConversation', await newCaller(), { params }), { code });
});
