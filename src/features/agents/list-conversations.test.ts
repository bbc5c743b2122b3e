import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountsOf } from '../../../test/accounts.ts';
import { openWorld } from '../../../test/world.ts';

const world = await openWorld();
after(() => world.close());
const accounts = await accountsOf(world);
const [ada, eve] = [await accounts.signUp({ tier: 'free' }), await accounts.signUp()];

const AT = '/api/agents/core-agent';

async function ask(path: string, method = 'GET', body?: object, { token } = ada) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await world.fetch(`${AT}${path}`, { method, headers, ...sent });
  return { status: answer.status, body: JSON.parse(await answer.text()), link: answer.headers.get('link') };
}

test('200: the newest first, page by page, one’s own only; gone when deleted', async () => {
  const first = (await ask('/chat', 'POST', { message: 'help' })).body;
  const second = (await ask('/chat', 'POST', { message: 'what can you do?' })).body;
  await ask('/chat', 'POST', { message: 'hello', conversation_id: first.conversation_id });
  const page = await ask('/conversations?limit=1');
  assert.deepEqual(
    [page.body.total_count, page.body.items[0].id, page.body.items[0].turns],
    [2, first.conversation_id, 2],
  );
  assert.match(page.link ?? '', /rel="next"/);
  const whole = (await ask(`/conversations/${first.conversation_id}`)).body;
  assert.deepEqual(
    whole.items.map((it: { input: object[]; status: string }) => [it.input, it.status]),
    [
      [[{ role: 'user', content: 'help' }], 'completed'],
      [[{ role: 'user', content: 'hello' }], 'completed'],
    ],
  );
  const one = `/conversations/${second.conversation_id}`;
  for (const method of ['GET', 'DELETE']) assert.equal((await ask(one, method, undefined, eve)).status, 404, method);
  assert.deepEqual((await ask(one, 'DELETE')).body, { status: 'deleted' });
  assert.equal((await ask(one)).body.code, 'agents.no_such_conversation');
});

test('200: status, models with their reasons, and the choice of one; the planner uses no quota', async () => {
  const { body: status } = await ask('/status');
  assert.deepEqual(
    [status.status, status.model, status.is_llm, status.quota.used],
    ['ready', 'builtin/planner', false, 0],
  );
  assert.ok(status.tools.includes('task_start') && status.tools.includes('skill_search'));
  const { body: models } = await ask('/available-models');
  assert.match(models.items[0].reason, /_API_KEY is not set/);
  assert.deepEqual(models.items.at(-1), {
    id: 'builtin/planner',
    provider: 'builtin',
    name: 'planner',
    is_llm: false,
    available: true,
  });
  assert.equal((await ask('/set-model', 'POST', { model: 'openai/gpt-5.5' })).status, 409);
  assert.equal((await ask('/set-model', 'POST', { model: 'none/such' })).body.code, 'agents.model_unknown');
  assert.deepEqual((await ask('/set-model', 'POST', { model: 'builtin/planner' })).body, {
    model: 'builtin/planner',
    is_llm: false,
  });
});

test('a key that may only read has only tools that read; the agent is announced', async () => {
  const token = await ada.newApiKey(['read']);
  const { body } = await ask('/status', 'GET', undefined, { ...ada, token });
  assert.ok(body.tools.includes('task_list') && !body.tools.includes('task_start'));
  const { items } = await world.get<{ items: { id: string; status: string }[] }>('/api/discovery/agents');
  assert.equal(items.find(({ id }) => id === 'core-agent')?.status, 'available');
});
