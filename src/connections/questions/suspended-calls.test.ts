import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSuspendedCalls } from './suspended-calls.ts';

test('one user cannot take every place for questions', async () => {
  const suspended = openSuspendedCalls(null);
  const { signal } = new AbortController();
  const begin = (user_id: string) =>
    suspended.begin({ user_id, call: 'x' }, signal, async (ask) => ({
      ...(await ask({ message: 'Which harbour?', schema: {}, link: null })),
    }));
  const states = await Promise.all(Array.from({ length: 60 }, () => begin('ada')));
  const asked = states.filter((state) => 'asked' in state);
  assert.equal(asked.length, 50);
  assert.deepEqual(await begin('ada'), { done: { action: 'cancel' } });
  const other = await begin('bob');
  assert.ok('asked' in other);
  const { asked: id } = other;
  const answered = suspended.resume({ user_id: 'bob', call: 'x' }, id, { action: 'decline' }, signal);
  assert.deepEqual(await answered, { done: { action: 'decline' } });
});
