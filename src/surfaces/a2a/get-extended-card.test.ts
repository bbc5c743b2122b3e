import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { getExtendedAgentCard } from './get-extended-card.ts';

test("200: returns the caller's own card only", async () => {
  const cards = { open: () => ({}), extended: async ({ user_id }: { user_id: string }) => ({ name: user_id }) };
  const reply = await text(getExtendedAgentCard({ cards })(input({ caller: { user_id: 'ada' } as never })));
  assert.deepEqual(JSON.parse(reply.body), { name: 'ada' });
  assert.match(reply.cache_control ?? '', /^private/);
});
