import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsCalls } from '#test/agents-calls.ts';
import { CHAT_SCOPE, chatAsking } from './ask-in-chat.ts';

const { call, newCaller, questions } = await agentsCalls();
const [ada, eve] = [await newCaller('free'), await newCaller('free')];
const { signal } = new AbortController();
const FORM = { type: 'object', properties: { harbour: { type: 'string' } } };

test('200: the answer of a person reaches the tool that asks; 404: of another user, and after it was answered', async () => {
  const shown = Promise.withResolvers<string>();
  const of = { user_id: ada.user_id, scope: CHAT_SCOPE };
  const asking = chatAsking((question) => questions.ask(of, question, signal, ({ id }) => shown.resolve(id)), signal);
  const params = { message: 'Which harbour?', requestedSchema: FORM };
  const asked = asking.ask({ name: { method: 'elicitation/create', params } });
  const question_id = await shown.promise;
  const body = { action: 'accept', content: { harbour: 'Emden' } };
  const answer = (by: typeof ada) => call('answer', by, { params: { question_id }, body });
  await assert.rejects(answer(eve), { code: 'connections.not_found', reason: 'question' });
  assert.deepEqual((await answer(ada)).body, { action: 'accept' });
  assert.deepEqual(await asked, { name: body });
  await assert.rejects(answer(ada), { code: 'connections.not_found', reason: 'question' });
});

test('where nobody can be asked, forms are not shown, and the reason names the stream', async () => {
  const asking = chatAsking(null, signal);
  assert.equal(asking.can('elicitation/create'), false);
  assert.match(asking.unasked ?? '', /not streamed/);
  assert.equal(await asking.elicit('Who?', FORM as never), null);
});
