import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';

const { call, chat, newCaller, database } = await agentsCalls();
const [ada, eve] = [await newCaller('free'), await newCaller('free')];

test('200: a running turn; 404: one of another user, and one that has ended', async () => {
  const { id: turn_id } = await chat(ada, 'find json');
  const cancel = (by: typeof ada) => call('cancel', by, { params: { turn_id } });
  await assert.rejects(cancel(ada), { code: 'agents.not_found', status: 404, message: /may have ended/ });
  await database.db.updateTable('agent_turns').set({ status: 'working' }).where('id', '=', turn_id).execute();
  await assert.rejects(cancel(eve), { code: 'agents.not_found', status: 404 });
  assert.deepEqual((await cancel(ada)).body, { id: turn_id });
});
