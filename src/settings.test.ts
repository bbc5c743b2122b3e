import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProduction, readProgramConfig } from './settings.ts';

const production = (env: Record<string, string>): boolean => isProduction(readProgramConfig(env));

test('production is what says so, or what others reach', () => {
  assert.ok(production({ NODE_ENV: 'production' }));
  for (const url of ['https://capstan.example', 'http://10.0.0.7:8080', 'http://localhost.evil.example'])
    assert.ok(production({ PUBLIC_URL: url }), url);
});

test('a machine on its own is no production', () => {
  assert.ok(!production({}));
  for (const url of ['http://localhost:8080', 'http://127.0.0.1', 'http://127.9.9.9:1', 'http://[::1]:8080'])
    assert.ok(!production({ PUBLIC_URL: url }), url);
});
