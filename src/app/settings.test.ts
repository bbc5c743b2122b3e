import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProduction, readProgramConfig, whyProduction } from './settings.ts';

const production = (env: Record<string, string>): boolean => isProduction(readProgramConfig(env));

test('production if NODE_ENV says so, or if the public URL is not on loopback', () => {
  assert.ok(production({ NODE_ENV: 'production' }));
  for (const url of ['https://capstan.example', 'http://10.0.0.7:8080', 'http://localhost.evil.example'])
    assert.ok(production({ PUBLIC_URL: url }), url);
});

test('production if the server listens beyond loopback, whatever else is set', () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'fd00::1', 'capstan.internal', '127.0.0.1.evil.example']) {
    assert.ok(production({ HOST: host }), host);
    assert.ok(production({ HOST: host, NODE_ENV: 'development', PUBLIC_URL: 'http://localhost:8080' }), host);
  }
  for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '::1', '::ffff:127.0.0.1'])
    assert.ok(!production({ HOST: host }), host);
});

test('names the setting that makes a service production', () => {
  assert.equal(whyProduction(readProgramConfig({ HOST: '0.0.0.0' })), 'HOST=0.0.0.0');
  assert.equal(whyProduction(readProgramConfig({})), null);
});

test('a local service is not production', () => {
  assert.ok(!production({}));
  for (const url of ['http://localhost:8080', 'http://127.0.0.1', 'http://127.9.9.9:1', 'http://[::1]:8080'])
    assert.ok(!production({ PUBLIC_URL: url }), url);
});
