import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller } = await agentsCalls();
const ada = await newCaller('free');

test('200: the caller’s own conversations, newest turn first, in pages', async () => {
  const first = await chat(ada, 'help');
  await chat(ada, 'what can you do?');
  await chat(ada, 'hello', first.conversation_id);
  await chat(await newCaller(), 'help');
  const { body, headers } = await call('listConversations', ada, { query: { limit: 1, offset: 0 } });
  const [{ id, turns, title }] = body.items;
  assert.deepEqual([body.total_count, id, turns, title], [2, first.conversation_id, 2, 'help']);
  assert.match(headers.link ?? '', /rel="next"/);
});
