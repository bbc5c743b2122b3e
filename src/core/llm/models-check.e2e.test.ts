import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import { answering, found } from '#test/doctor-stand.ts';
import { modelsCheck } from './models-check.ts';
import { LLM_SETTINGS } from './settings.ts';

let server: Awaited<ReturnType<typeof answering>>;
before(async () => {
  server = await answering(({ url, headers }, response) => {
    if (headers.authorization !== 'Bearer the-right-key') return response.writeHead(401).end();
    if (url !== '/v1/models') return response.writeHead(404).end();
    return response.end(JSON.stringify({ data: [{ id: 'one' }, { id: 'two' }] }));
  });
});
after(() => server[Symbol.asyncDispose]());

const look = (env: Record<string, string>) => found(modelsCheck(readConfig(LLM_SETTINGS, env)));
const openai = (key: string, more: Record<string, string> = {}) =>
  look({ CAPSTAN_OPENAI_API_KEY: key, CAPSTAN_OPENAI_URL: `${server.url}/v1`, CAPSTAN_OPENAI_MODELS: 'one', ...more });

test('doctor reports accepted and rejected API keys, and models that the provider does not list', async () => {
  assert.deepEqual(await openai('the-right-key'), [
    'ok: OpenAI is reachable and accepts the API key; 2 models.',
    'ok: Default model: openai/one.',
  ]);
  const refused = (await openai('another-key')).join();
  assert.match(refused, /^fail: OpenAI rejected the API key \(401\)\. → Check CAPSTAN_OPENAI_API_KEY/);
  assert.doesNotMatch(refused, /another-key/);
  assert.match(
    (await openai('the-right-key', { CAPSTAN_OPENAI_MODELS: 'one,three' })).join(),
    /warn: OpenAI does not list three/,
  );
});

test('doctor reports an unreachable model server, one without a model list, and an unavailable default', async () => {
  assert.match((await look({})).join(), /^ok: No language model is configured\. The built-in planner is used/);
  assert.match((await look({ CAPSTAN_LLM_MODEL: 'builtin/planner' })).join(), /^ok: /);
  assert.match(
    (await look({ CAPSTAN_LLM_URL: 'http://127.0.0.1:9/v1' })).join(),
    /^fail: The language model server is unreachable/,
  );
  const silent = { CAPSTAN_LLM_URL: `${server.url}/v2`, CAPSTAN_LLM_KEY: 'the-right-key' };
  assert.match((await look(silent)).join(), /^ok: .* has no model list/);
  assert.match(
    (await look({ CAPSTAN_LLM_MODEL: 'google/x' })).join(),
    /^fail: google\/x is not available: CAPSTAN_GOOGLE_API_KEY/,
  );
});
