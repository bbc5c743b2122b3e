import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from '#app/settings.ts';
import { flatten, renderEnvExample, renderReference } from '#core/config/config.ts';
import { read } from './tree.ts';

const STALE = 'run: npm run capstand -- schema --write';

function linesMissing(text: string, from: string): string[] {
  const lines = new Set(from.split('\n'));
  return text.split('\n').filter((line) => !lines.has(line));
}

test('.env.example matches the settings', () => {
  const [file, rendered] = [read('.env.example'), renderEnvExample(SETTINGS)];
  assert.deepEqual([linesMissing(rendered, file), linesMissing(file, rendered)], [[], []], STALE);
  assert.ok(file === rendered, STALE);
});

test('the configuration reference matches the settings', () => {
  const [file, rendered] = [read('docs/guides/configuration.md'), renderReference(SETTINGS)];
  assert.deepEqual(linesMissing(rendered, file), [], STALE);
  assert.ok(file.includes(rendered), STALE);
});

test('settings start with CAPSTAN_ or OTEL_, or have a conventional name such as PORT', () => {
  const usual = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'PUBLIC_URL', 'LOG_LEVEL', 'NODE_ENV'];
  const odd = flatten(SETTINGS).filter(
    (setting) => !usual.includes(setting.name) && !/^(?:CAPSTAN|OTEL)_/.test(setting.name),
  );
  assert.deepEqual(odd, []);
});
