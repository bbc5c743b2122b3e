import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller } = await agentsCalls();
const ada = await newCaller('free');

test('200: deletes a conversation with its turns; 404: another user’s, or one already deleted', async () => {
  const { conversation_id } = await chat(ada, 'help');
  const params = { id: conversation_id };
  const code = 'agents.not_found';
  await assert.rejects(call('deleteConversation', await newCaller(), { params }), { code });
  assert.deepEqual((await call('deleteConversation', ada, { params })).body, { status: 'deleted' });
  await assert.rejects(call('deleteConversation', ada, { params }), { code });
  await assert.rejects(chat(ada, 'hello', conversation_id), { code });
});
