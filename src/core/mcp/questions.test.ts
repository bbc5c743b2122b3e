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

test('forms that are huge or none are refused with the reason; a message is one cleaned line; questions end', async () => {
  const questions = openQuestions();
  const said: string[] = [];
  const refused: unknown[] = [];
  const ask: AskPerson = async ({ message, refused: why }) => {
    if (why === undefined) said.push(message);
    else refused.push(why);
    return why === undefined ? { action: 'cancel' } : { action: 'accept', content: {} };
  };
  await questions.during(ask, async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: 'string' as const }]),
    );
    for (const form of [{ type: 'object', properties }, { type: 'object' }])
      assert.deepEqual(await questions.elicit(asked('Big', form as never)), { action: 'decline' }, 'whatever was said');
    for (let round = refused.length; round < MOST_QUESTIONS; round++)
      await questions.elicit(asked(`a\n\u001b${'x'.repeat(9_000)}`));
    assert.deepEqual(await questions.elicit(asked()), { action: 'decline' });
  });
  assert.deepEqual(refused, ['Nobody was asked: the form is too large.', 'Nobody was asked: the form is invalid.']);
  assert.equal(said.length, MOST_QUESTIONS - refused.length);
  assert.ok(said.every((message) => !/[\n]/.test(message) && !message.includes('\u001b') && message.length <= 4_100));
});

test('a page is asked to be opened with its host; who accepts tells the server nothing else; others are refused', async () => {
  const questions = openQuestions();
  const seen: unknown[] = [];
  const ask: AskPerson = async ({ link, refused }) => {
    seen.push(link ?? refused);
    return { action: 'accept', content: { name: 'Ada' } };
  };
  const page = (url: string) => ({ mode: 'url' as const, message: 'Sign in', url, elicitationId: '1' });
  await questions.during(ask, async () => {
    assert.deepEqual(await questions.elicit(page('https://pay.example/a?b')), { action: 'accept' });
    assert.deepEqual(await questions.elicit(page('javascript:alert(1)')), { action: 'decline' });
  });
  assert.deepEqual(seen, [
    { url: 'https://pay.example/a?b', host: 'pay.example' },
    'Nobody was asked to open the page of the server: only https addresses are shown.',
  ]);
});
