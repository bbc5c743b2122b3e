import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AskPerson, MOST_QUESTIONS, openQuestions } from './questions.ts';

const FORM = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const asked = (message = 'Who?', requestedSchema = FORM) => ({ mode: 'form' as const, message, requestedSchema });
const named =
  (name: string): AskPerson =>
  async () => ({ action: 'accept', content: { name } });

test('a question goes to the call in whose context it came', async () => {
  const questions = openQuestions();
  const ask = () => questions.elicit(asked());
  const both = await Promise.all([questions.during(named('Ada'), ask), questions.during(named('Eve'), ask)]);
  assert.deepEqual(
    both.map((answer) => answer.content),
    [{ name: 'Ada' }, { name: 'Eve' }],
  );
});

test('without a context, it goes to the only call, and is declined if there are several or none', async () => {
  const questions = openQuestions();
  assert.deepEqual(await questions.elicit(asked()), { action: 'decline' });
  const first = Promise.withResolvers<void>();
  const calling = questions.during(named('Ada'), () => first.promise);
  assert.deepEqual((await questions.elicit(asked())).content, { name: 'Ada' });
  const second = questions.during(named('Eve'), () => first.promise);
  assert.deepEqual(await questions.elicit(asked()), { action: 'decline' });
  first.resolve();
  await Promise.all([calling, second]);
  assert.deepEqual(await questions.elicit(asked()), { action: 'decline' });
});

test('a question of another session is not answered by this call', async () => {
  const [ours, theirs] = [openQuestions(), openQuestions()];
  const answer = await ours.during(named('Ada'), () => theirs.elicit(asked()));
  assert.deepEqual(answer, { action: 'decline' });
});

test('links, huge forms and endless questions are declined; a message is one cleaned line', async () => {
  const questions = openQuestions();
  const said: string[] = [];
  const ask: AskPerson = async ({ message }) => {
    said.push(message);
    return { action: 'cancel' };
  };
  await questions.during(ask, async () => {
    const link = { mode: 'url' as const, message: 'Go', url: 'https://example.test', elicitationId: '1' };
    assert.deepEqual(await questions.elicit(link), { action: 'decline' });
    const properties = Object.fromEntries(
      Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: 'string' as const }]),
    );
    assert.deepEqual(await questions.elicit(asked('Big', { type: 'object', properties } as never)), {
      action: 'decline',
    });
    for (let round = 0; round < MOST_QUESTIONS; round++) await questions.elicit(asked(`a\n\u001b${'x'.repeat(9_000)}`));
    assert.deepEqual(await questions.elicit(asked()), { action: 'decline' });
  });
  assert.equal(said.length, MOST_QUESTIONS);
  assert.ok(said.every((message) => !/[\n]/.test(message) && !message.includes('\u001b') && message.length <= 4_100));
});
