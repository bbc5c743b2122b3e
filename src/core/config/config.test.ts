import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { duration, list, rate, readConfig, SERVER_SETTINGS } from './config.ts';

const TREE = {
  server: SERVER_SETTINGS,
  interval_ms: duration('CAPSTAN_SYNC_INTERVAL', '1h', 1_000, { description: 'x' }),
  tries: rate('CAPSTAN_LIMIT_TRIES', 'tries', '10/1h', { description: 'x' }),
  which: list('CAPSTAN_PROVIDERS', 'a,b', ['a', 'b'], { description: 'x' }),
};

test('readConfig() returns the defaults if nothing is set', () => {
  const config = readConfig(TREE, {});
  assert.equal(config.server.port, 8080);
  assert.equal(config.server.host, '127.0.0.1');
  assert.equal(config.server.database_url, null);
  assert.equal(config.interval_ms, 3_600_000);
  assert.deepEqual(config.which, ['a', 'b']);
});

test('the environment takes precedence over the file, and the file over the default', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'capstan-config-')), 'capstan.env');
  writeFileSync(file, 'PORT=9000\nCAPSTAN_SYNC_INTERVAL="90s"\n');
  const config = readConfig(TREE, { CAPSTAN_CONFIG_FILE: file, PORT: '9001' });
  assert.equal(config.server.port, 9001);
  assert.equal(config.interval_ms, 90_000);
});

test('a setting with _FILE is read from that file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'capstan-config-')), 'url');
  writeFileSync(file, 'postgres://u:p@h/d\n');
  assert.equal(readConfig(TREE, { DATABASE_URL_FILE: file }).server.database_url, 'postgres://u:p@h/d');
});

test('an unknown setting is rejected with the nearest name', () => {
  assert.throws(() => readConfig(TREE, { CAPSTAN_SYNC_INTERVALL: '1h' }), {
    code: 'config.invalid',
    message: 'Unknown setting: CAPSTAN_SYNC_INTERVALL. Did you mean CAPSTAN_SYNC_INTERVAL?',
  });
});

test('settings of the CLI such as CAPSTAN_TOKEN are ignored', () => {
  const env = { CAPSTAN_URL: 'http://127.0.0.1:8080', CAPSTAN_TOKEN: 'secret', CAPSTAN_WALLET_KEY_FILE: '/key' };
  assert.deepEqual(readConfig(TREE, env), readConfig(TREE, {}));
});

for (const [name, value] of [
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['LOG_LEVEL', 'loud'],
  ['PUBLIC_URL', 'ftp://x'],
  ['DATABASE_URL', 'mysql://u:hunter2@h/d'],
  ['CAPSTAN_SYNC_INTERVAL', '5 parsecs'],
  ['CAPSTAN_PROVIDERS', 'a,c'],
  ['CAPSTAN_LIMIT_TRIES', '10'],
  ['CAPSTAN_LIMIT_TRIES', '0/1m'],
  ['CAPSTAN_LIMIT_TRIES', '10/2d'],
  ['CAPSTAN_ALLOWED_ORIGINS', '*'],
  ['CAPSTAN_ALLOWED_ORIGINS', 'null'],
  ['CAPSTAN_ALLOWED_ORIGINS', 'app.example'],
  ['CAPSTAN_ALLOWED_ORIGINS', 'https://app.example/path'],
  ['CAPSTAN_ALLOWED_ORIGINS', 'https://user@app.example'],
  ['CAPSTAN_ALLOWED_ORIGINS', 'https://a.example,'],
  ['CAPSTAN_TRUSTED_PROXIES', 'proxy.example'],
  ['CAPSTAN_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['CAPSTAN_TRUSTED_PROXIES', '10/8'],
] as const)
  test(`rejects ${name}=${value} and names the setting`, () => {
    assert.throws(() => readConfig(TREE, { [name]: value }), {
      code: 'config.invalid',
      message: new RegExp(`^${name} `),
    });
  });

test('the value off is parsed as the empty list', () => {
  assert.deepEqual(readConfig(TREE, { CAPSTAN_PROVIDERS: 'off' }).which, []);
});

test('limits, origins and networks are parsed and normalized', () => {
  const { tries, server } = readConfig(TREE, {
    CAPSTAN_LIMIT_TRIES: '300/90s',
    CAPSTAN_ALLOWED_ORIGINS: 'https://App.example, http://localhost:3000/,https://app.example:443',
    CAPSTAN_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
  });
  assert.deepEqual(tries, { name: 'tries', count: 300, window_ms: 90_000 });
  assert.deepEqual(server.allowed_origins, ['https://app.example', 'http://localhost:3000']);
  assert.deepEqual(server.trusted_proxies, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
});
