import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '#core/llm/failure.ts';
import { askInTime } from './ask-in-time.ts';
import type { AskOutcome } from './meter.ts';
import { pacer } from './pacer.ts';

/** A model whose answers the test gives, and what was noted. */
function asked({ wait_ms = 1, mayAsk = (): boolean => true } = {}) {
  const clock = { ms: 0 };
  const outcomes: AskOutcome[] = [];
  const questions: { question: string; answer(of: string[]): void; fail(error: Error): void }[] = [];
  const inTime = askInTime<string, string[]>({
    wait_ms,
    mayAsk,
    now: () => clock.ms,
    note: (outcome) => outcomes.push(outcome),
    ask: (question) =>
      new Promise((answer, fail) => {
        questions.push({ question, answer, fail });
      }),
  });
  return { clock, outcomes, questions, ask: (key: string) => inTime.ask(key, key) };
}

test('the same question is asked once, also by several at the same time, and its answer is kept', async () => {
  const { questions, ask, outcomes } = asked({ wait_ms: 60_000 });
  const both = [ask('a'), ask('a')];
  questions[0]?.answer(['x']);
  const used = { state: 'used', answer: ['x'] };
  assert.deepEqual([...(await Promise.all(both)), await ask('a')], [used, used, used]);
  assert.deepEqual([questions.length, outcomes], [1, ['ok']]);
});

test('a late answer is kept, but used only after a while, so that pages of one search agree', async () => {
  const { clock, questions, ask, outcomes } = asked();
  assert.deepEqual(await ask('a'), { state: 'late' });
  clock.ms = 1_000;
  questions[0]?.answer(['x']);
  assert.deepEqual(await ask('a'), { state: 'late' });
  clock.ms = 10_000;
  assert.deepEqual(await ask('a'), { state: 'used', answer: ['x'] });
  assert.deepEqual([questions.length, outcomes], [1, ['late']]);
});

test('after three failures the model rests, for as long as it asked', async () => {
  const { clock, questions, ask, outcomes } = asked({ wait_ms: 60_000 });
  const failing = async (key: string) => {
    const answer = ask(key);
    questions.at(-1)?.fail(unavailable({ provider: 'x', key: null }, 'it is unreachable'));
    return answer;
  };
  for (const key of ['a', 'b', 'c']) assert.deepEqual(await failing(key), { state: 'failed' });
  assert.deepEqual([await ask('d'), questions.length], [{ state: 'resting' }, 3]);
  clock.ms = 15_000;
  const answer = ask('e');
  questions.at(-1)?.answer(['x']);
  assert.deepEqual(await answer, { state: 'used', answer: ['x'] });
  assert.deepEqual(outcomes, ['failed', 'failed', 'failed', 'skipped', 'ok']);
});

test('a limited number of questions is asked at a time, and no more than the pace allows', async () => {
  const { questions, ask } = asked();
  const states = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(`${i}`)));
  assert.deepEqual([questions.length, states.filter(({ state }) => state === 'resting').length], [16, 4]);
  let nowMs = 0;
  const paced = pacer({ name: 'x', count: 2, window_ms: 1_000 }, () => nowMs);
  assert.deepEqual([paced(), paced(), paced()], [true, true, false]);
  nowMs = 1_000;
  assert.ok(paced());
  const refused = asked({ mayAsk: () => false });
  assert.deepEqual([await refused.ask('a'), refused.questions.length], [{ state: 'resting' }, 0]);
});
