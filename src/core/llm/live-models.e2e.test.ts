import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { providersAt } from '#test/llm-stand.ts';
import { openModels } from './models.ts';

const LISTS: Record<string, object> = {
  '/openai/models': { data: [{ id: 'fake-1' }, { id: 'other' }] },
  '/anthropic/models?limit=1000': { data: [{ id: 'claude' }], has_more: true, last_id: 'claude' },
  '/anthropic/models?limit=1000&after_id=claude': { data: [{ id: 'fake-1' }], has_more: false },
  '/google/models?pageSize=1000': { models: [{ name: 'models/else' }] },
  '/compatible/models': { data: [{ id: 'llama/3' }, { id: 'with space' }] },
};
let requests = 0;
const server = createServer(({ url, headers }, response) => {
  requests++;
  const key = headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'];
  const list = LISTS[url ?? ''];
  if (list === undefined || !`${key}`.includes('key')) return response.writeHead(list === undefined ? 500 : 401).end();
  return response.end(JSON.stringify(list));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => server.close());

const at = (name: string, models = ['fake-1'], key: string | null = 'key') => ({ key, url: `${url}/${name}`, models });
const config = { model: null, timeout_ms: 5_000, retries: 0, max_steps: 5, max_tokens: 1_000, max_output_tokens: 100 };

test("listLive() lists each provider's models, with a reason for missing ones, at most once a minute", async () => {
  const providers = {
    openai: at('openai'),
    anthropic: at('anthropic'),
    google: at('google'),
    compatible: at('compatible', []),
  };
  const models = openModels({ ...config, providers });
  const shown = (await models.listLive()).map(({ id, available, reason = '' }) => [id, available, reason]);
  assert.deepEqual(shown, [
    ['openai/fake-1', true, ''],
    ['anthropic/fake-1', true, ''],
    ['google/fake-1', false, 'The provider does not list this model for the configured key.'],
    ['compatible/llama/3', true, ''],
    ['builtin/planner', true, ''],
  ]);
  const asked = requests;
  await models.listLive();
  assert.equal(requests, asked);
  assert.deepEqual([models.pick('compatible/llama/3')?.name, models.pick('openai/other')], ['llama/3', null]);
  await models.close();
});

test('listLive() reports a provider that refuses, fails or is unreachable, without its key', async () => {
  const gone = { key: 'sk-very-secret-key', url: 'http://127.0.0.1:1', models: ['fake-1'] };
  const providers = {
    ...providersAt(null, null),
    openai: at('openai', ['fake-1'], 'wrong'),
    google: at('nothing'),
    compatible: gone,
  };
  const models = openModels({ ...config, providers });
  const reasons = (await models.listLive()).map(({ provider, reason }) => `${provider}: ${reason}`);
  assert.deepEqual(reasons, [
    'openai: OpenAI rejected the API key (401).',
    'anthropic: CAPSTAN_ANTHROPIC_API_KEY is not set.',
    'google: Google returned status 500.',
    'compatible: The language model server is unreachable.',
    'builtin: undefined',
  ]);
  await models.close();
});
