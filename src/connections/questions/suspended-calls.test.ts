import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { QuestionAnswer } from '#core/mcp/questions.ts';
import type { AskedId, HandedCalls } from './handed-calls.ts';
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

/** Another process has the database; `claims` waits until the test says who was first. */
function openRaced() {
  const claims: PromiseWithResolvers<boolean>[] = [];
  const handed: HandedCalls = {
    open: async () => {},
    claim: () => {
      const claim = Promise.withResolvers<boolean>();
      claims.push(claim);
      return claim.promise;
    },
    look: async () => ({ answered: [], gone: [] }),
    keep: async () => [],
    give: async () => {},
    resume: async () => null,
  };
  const suspended = openSuspendedCalls(handed);
  const { signal } = new AbortController();
  const of = { user_id: 'ada', call: 'x' };
  return {
    claims,
    resume: (asked: AskedId, answer: QuestionAnswer) => suspended.resume(of, asked, answer, signal),
    /** Answers a question whose call ends while it is being claimed. */
    async answerLate(isFirst: boolean, asksAgain = false) {
      const ended = new AbortController();
      const question = { message: 'Which harbour?', schema: {}, link: null };
      const state = await suspended.begin(of, signal, async (ask) => {
        const answer = await ask(question, ended.signal);
        return { ...(asksAgain ? await ask(question) : answer) };
      });
      assert.ok('asked' in state);
      const resumed = suspended.resume(of, state.asked, { action: 'decline' }, signal);
      await setImmediate();
      ended.abort();
      await setImmediate();
      claims.shift()?.resolve(isFirst);
      return Promise.race([resumed, setImmediate().then(() => setImmediate('it hangs'))]);
    },
  };
}

test('an answer that arrives while its call ends gets the end of the call', async () => {
  assert.deepEqual(await openRaced().answerLate(true), { done: { action: 'cancel' } });
});

test('an answer that arrives too late does not answer the next question of its call', async () => {
  const { answerLate, resume, claims } = openRaced();
  const state = await answerLate(true, true);
  assert.ok(state !== null && typeof state === 'object' && 'asked' in state, JSON.stringify(state));
  assert.equal(state.asked.number, 2);
  const answered = resume(state.asked, { action: 'accept', content: {} });
  await setImmediate();
  claims.shift()?.resolve(true);
  assert.deepEqual(await answered, { done: { action: 'accept', content: {} } });
});

test('a question that another process has answered takes no place once its call has ended', async () => {
  const { answerLate } = openRaced();
  for (let times = 0; times < 60; times++) assert.equal(await answerLate(false), null);
});
