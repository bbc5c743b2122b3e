import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from '#app/settings.ts';
import { flatten, renderEnvExample, renderReference } from '#core/config/config.ts';
import { read } from './tree.ts';

test('.env.example is what the settings say; npm run capstand -- schema --write renews it', () => {
  assert.equal(read('.env.example'), renderEnvExample(SETTINGS));
});

test('the configuration reference holds the table of the settings', () => {
  assert.ok(read('docs/guides/configuration.md').includes(renderReference(SETTINGS)));
});

test('our own settings begin with CAPSTAN_, the rest are the usual names', () => {
  const usual = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'PUBLIC_URL', 'LOG_LEVEL', 'NODE_ENV'];
  const odd = flatten(SETTINGS).filter(
    (setting) => !usual.includes(setting.name) && !/^(?:CAPSTAN|OTEL)_/.test(setting.name),
  );
  assert.deepEqual(odd, []);
});
