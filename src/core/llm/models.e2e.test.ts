import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import { openModels } from './models.ts';
import { LLM_SETTINGS } from './settings.ts';

const open = (env: Record<string, string>) => openModels(readConfig(LLM_SETTINGS, env));

test('without an API key, only the planner is available, and each model names the missing setting', () => {
  const models = open({});
  assert.deepEqual(
    [models.current, models.pick(), models.missing()],
    ['builtin/planner', null, 'No language model is configured.'],
  );
  const list = models.list();
  assert.deepEqual(list.at(-1), {
    id: 'builtin/planner',
    provider: 'builtin',
    name: 'planner',
    is_llm: false,
    available: true,
  });
  for (const modelInfo of list.slice(0, -1)) {
    assert.deepEqual(
      [modelInfo.is_llm, modelInfo.available, modelInfo.id],
      [true, false, `${modelInfo.provider}/${modelInfo.name}`],
    );
    assert.equal(modelInfo.reason, `CAPSTAN_${modelInfo.provider.toUpperCase()}_API_KEY is not set.`);
    assert.equal(models.pick(modelInfo.id), null);
  }
  assert.deepEqual(
    [...new Set(list.map((modelInfo) => modelInfo.provider))],
    ['openai', 'anthropic', 'google', 'builtin'],
  );
});

test('a key makes its provider’s models available, and the first of them the default', () => {
  const models = open({ CAPSTAN_ANTHROPIC_API_KEY: 'k', CAPSTAN_ANTHROPIC_MODELS: 'one, two' });
  assert.deepEqual([models.current, models.pick()?.id, models.missing()], ['anthropic/one', 'anthropic/one', null]);
  assert.equal(models.pick('anthropic/two')?.name, 'two');
  assert.deepEqual([models.pick('anthropic/three'), models.pick('builtin/planner')], [null, null]);
});

test('a custom URL, model names with slashes, and a default that is not in the list are supported', () => {
  const url = 'http://10.0.0.7:11434/v1/';
  const models = open({ CAPSTAN_LLM_URL: url, CAPSTAN_LLM_MODELS: 'a,org/b:7b', CAPSTAN_LLM_MODEL: 'compatible/c' });
  const ids = models.list().flatMap((modelInfo) => (modelInfo.available ? [modelInfo.id] : []));
  assert.deepEqual(ids, ['compatible/c', 'compatible/a', 'compatible/org/b:7b', 'builtin/planner']);
  assert.deepEqual([models.current, models.pick('compatible/org/b:7b')?.name], ['compatible/c', 'org/b:7b']);
});

test('a default model without its API key is listed with the reason and not replaced', () => {
  const models = open({ CAPSTAN_LLM_MODEL: 'openai/x', CAPSTAN_ANTHROPIC_API_KEY: 'k' });
  assert.deepEqual([models.current, models.pick()], ['openai/x', null]);
  assert.equal(models.missing(), 'openai/x is not available: CAPSTAN_OPENAI_API_KEY is not set.');
  const planner = open({ CAPSTAN_LLM_MODEL: 'builtin/planner', CAPSTAN_ANTHROPIC_API_KEY: 'k' });
  assert.deepEqual([planner.pick(), planner.current], [null, 'builtin/planner']);
});

test('invalid model settings are rejected without showing the secret', () => {
  const wrong: [string, string, RegExp][] = [
    ['CAPSTAN_LLM_MODEL', 'gpt-5', /must be builtin\/planner or a model name prefixed with one of openai\//],
    ['CAPSTAN_LLM_MODEL', 'openai/', /must be/],
    ['CAPSTAN_LLM_MODELS', 'a,,b', /must be comma-separated model names/],
    ['CAPSTAN_OPENAI_URL', 'http://proxy.example/v1', /must be an https URL/],
    ['CAPSTAN_LLM_URL', 'http://me:secret@host/v1', /a user name/],
  ];
  for (const [name, value, pattern] of wrong) assert.throws(() => open({ [name]: value }), pattern, name);
  assert.ok(open({ CAPSTAN_OPENAI_URL: 'http://127.0.0.1:9/v1', CAPSTAN_OPENAI_API_KEY: 'k' }).pick());
});

test('opening and picking models does not load the SDK, to save memory at startup', () => {
  const program = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
    const { openModels } = await import('./models.ts');
    const { readConfig } = await import('#core/config/config.ts');
    const { LLM_SETTINGS } = await import('./settings.ts');
    const models = openModels(readConfig(LLM_SETTINGS, { CAPSTAN_OPENAI_API_KEY: 'k' }));
    console.log(models.pick().provider, seen.filter((name) => /^(ai|@ai-sdk|zod)\\b/.test(name)).length);`;
  const argv = ['--input-type=module', '-e', program];
  assert.equal(execFileSync(process.execPath, argv, { encoding: 'utf8', cwd: import.meta.dirname }), 'openai 0\n');
});
