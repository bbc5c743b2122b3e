import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { duration, list, readConfig, SERVER_SETTINGS } from './config.ts';

const TREE = {
  server: SERVER_SETTINGS,
  interval_ms: duration('CAPSTAN_SYNC_INTERVAL', '1h', 1_000, { description: 'x' }),
  which: list('CAPSTAN_PROVIDERS', 'a,b', ['a', 'b'], { description: 'x' }),
};

test('nothing set: the defaults', () => {
  const config = readConfig(TREE, {});
  assert.equal(config.server.port, 8080);
  assert.equal(config.server.host, '127.0.0.1');
  assert.equal(config.server.database_url, null);
  assert.equal(config.interval_ms, 3_600_000);
  assert.deepEqual(config.which, ['a', 'b']);
});

test('the environment wins over the file, the file over the default', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'capstan-config-')), 'capstan.env');
  writeFileSync(file, 'PORT=9000\nCAPSTAN_SYNC_INTERVAL="90s"\n');
  const config = readConfig(TREE, { CAPSTAN_CONFIG_FILE: file, PORT: '9001' });
  assert.equal(config.server.port, 9001);
  assert.equal(config.interval_ms, 90_000);
});

test('a secret can be read from a file, and is not shown when it is wrong', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'capstan-config-')), 'url');
  writeFileSync(file, 'postgres://u:p@h/d\n');
  assert.equal(readConfig(TREE, { DATABASE_URL_FILE: file }).server.database_url, 'postgres://u:p@h/d');
});

test('an unknown name is refused with the nearest one', () => {
  assert.throws(() => readConfig(TREE, { CAPSTAN_SYNC_INTERVALL: '1h' }), {
    code: 'config.invalid',
    message: 'CAPSTAN_SYNC_INTERVALL is not a setting. Did you mean CAPSTAN_SYNC_INTERVAL?',
  });
});

for (const [name, value] of [
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['LOG_LEVEL', 'loud'],
  ['PUBLIC_URL', 'ftp://x'],
  ['DATABASE_URL', 'mysql://u:hunter2@h/d'],
  ['CAPSTAN_SYNC_INTERVAL', '5 parsecs'],
  ['CAPSTAN_PROVIDERS', 'a,c'],
] as const)
  test(`${name}=${value} is refused by name`, () => {
    assert.throws(() => readConfig(TREE, { [name]: value }), {
      code: 'config.invalid',
      message: new RegExp(`^${name} `),
    });
  });

test('off is the empty list', () => {
  assert.deepEqual(readConfig(TREE, { CAPSTAN_PROVIDERS: 'off' }).which, []);
});
