import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NO_POSTGRES, postgresConfig } from '../databases.ts';
import { copySqlite } from '../migrated.ts';
import { capstand, freshDir } from './capstand.ts';

/** What an operator reads where a command cannot do its work: one line that says what and how it is mended, and an end. */

async function refused(args: string[], env: Record<string, string>, code = 1): Promise<string> {
  const { ended } = capstand(args, { DATA_DIR: await freshDir(), LOG_LEVEL: 'error', ...env });
  const exit = await ended;
  assert.equal(exit.code, code, `${exit.signal} ${exit.stderr}`);
  assert.match(exit.stderr, /^capstand[^\n]*\n$/, 'one line');
  assert.doesNotMatch(exit.stderr, /hunter2/);
  return exit.stderr;
}

test('names the PostgreSQL problem (user, database, TLS, unreachable) and its fix without the password', {
  skip: NO_POSTGRES,
}, async () => {
  const { config, drop } = await postgresConfig();
  const at = (change: Partial<URL>) => ({
    DATABASE_URL: Object.assign(new URL((config as { url: string }).url), change).href,
  });
  const { host } = new URL((config as { url: string }).url);
  try {
    for (const command of ['serve', 'work', 'migrate'])
      assert.equal(
        await refused([command], at({ password: 'hunter2' })),
        `capstand: PostgreSQL at ${host} rejects the user (28P01). Correct the user name and password in DATABASE_URL.\n`,
      );
    assert.match(
      await refused(['migrate', '--check'], at({ pathname: '/nowhere' })),
      /has no database nowhere\. createdb/,
    );
    assert.match(await refused(['users', 'list'], at({ port: '9' })), /127\.0\.0\.1:9 is unreachable \(ECONNREFUSED\)/);
    assert.match(await refused(['audit'], at({ search: '?sslmode=require' })), /TLS connection to .* sslmode/);
  } finally {
    await drop();
  }
});

test('serve refuses to start with a damaged or unreadable database file', async () => {
  const DATA_DIR = await freshDir();
  await writeFile(join(DATA_DIR, 'capstan.db'), 'this was a database '.repeat(400));
  assert.match(await refused(['serve'], { DATA_DIR }), /capstan\.db is damaged: .* restore the last backup\.\n$/);
  const other = await freshDir();
  await mkdir(join(other, 'capstan.db'));
  assert.match(await refused(['serve'], { DATA_DIR: other }), /Cannot use .*capstan\.db: .* ls -l /);
});

test('commands refuse a secret key that differs from the key of the database', async () => {
  const DATA_DIR = await freshDir();
  await copySqlite(join(DATA_DIR, 'capstan.db'));
  const [own, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const made = await capstand(['tokens', 'rotate'], { DATA_DIR, CAPSTAN_SECRET_KEY: own }).ended;
  assert.equal(made.code, 0, made.stderr);
  for (const args of [['serve'], ['work'], ['tokens', 'rotate'], ['receipts', 'rotate']])
    assert.match(
      await refused(args, { DATA_DIR, CAPSTAN_SECRET_KEY: other }),
      /encrypted with key [0-9a-f]{12}, but the configured key is [0-9a-f]{12}\. Set the former key .*--key-lost/,
    );
  const both = await capstand(['tokens', 'rotate'], { DATA_DIR, CAPSTAN_SECRET_KEY: `${other},${own}` }).ended;
  assert.equal(both.code, 0, both.stderr);
});

test('serve refuses to listen on other interfaces without a secret key and says why it is required', async () => {
  const said = await refused(['serve'], { HOST: '0.0.0.0' });
  assert.match(
    said,
    /CAPSTAN_SECRET_KEY is not set\. Production rules apply because of HOST=0\.0\.0\.0; .*openssl rand/,
  );
});

test('serve refuses a malformed line, an unknown NODE_ENV and a setting given twice', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-settings-'));
  const CAPSTAN_CONFIG_FILE = join(dir, 'capstan.env');
  await writeFile(CAPSTAN_CONFIG_FILE, '# of the service\nHOST=127.0.0.1\n\nPORT: 9000\n');
  assert.match(
    await refused(['serve'], { CAPSTAN_CONFIG_FILE }),
    /: Line 4 of .*capstan\.env is not in the form NAME=value\.\n$/,
  );
  assert.match(await refused(['serve'], { NODE_ENV: 'prod' }), /NODE_ENV must be one of development, production, test/);
  const both = { CAPSTAN_METRICS_TOKEN: 'hunter2', CAPSTAN_METRICS_TOKEN_FILE: CAPSTAN_CONFIG_FILE };
  assert.match(await refused(['serve'], both), /CAPSTAN_METRICS_TOKEN and CAPSTAN_METRICS_TOKEN_FILE are both set/);
});

test('serve exits without reporting ready if the metrics port is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const { ended } = capstand(['serve'], { DATA_DIR: await freshDir(), CAPSTAN_METRICS_PORT: `${port}` });
  const { code, stderr } = await ended;
  taken.close();
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`Port ${port} on 127.0.0.1 is already in use.* set CAPSTAN_METRICS_PORT to another`));
  assert.doesNotMatch(stderr, /is ready/);
});

test('run refuses to start if the receipt file cannot be written', async () => {
  const file = join(await freshDir(), 'nowhere', 'receipt.json');
  const said = await refused(['run', 'skill/json-diff', '--example', '--receipt', file], {}, 2);
  assert.match(said, /--receipt .* cannot be written \(ENOENT\)\. Nothing was run\./);
});

test('backup and restore report missing arguments, and restore --check names the damaged file', async () => {
  const DATA_DIR = await freshDir();
  await copySqlite(join(DATA_DIR, 'capstan.db'));
  const CAPSTAN_SECRET_KEY = randomBytes(32).toString('base64');
  const whole = join(DATA_DIR, 'whole.backup');
  const cut = join(DATA_DIR, 'cut.backup');
  assert.match(
    await refused(['backup', DATA_DIR], { DATA_DIR }, 2),
    /Choose how to store the secret key.* --without-keys/,
  );
  assert.match(await refused(['restore', 'a', 'b'], { DATA_DIR }, 2), /Name one backup file, not 2/);
  const made = await capstand(['backup', whole, '--without-keys'], { DATA_DIR, CAPSTAN_SECRET_KEY }).ended;
  assert.equal(made.code, 0, made.stderr);
  const bytes = await readFile(whole);
  await writeFile(cut, bytes.subarray(0, bytes.length - 7));
  const looked = await capstand(['restore', '--check', cut, whole], { DATA_DIR }).ended;
  assert.equal(looked.code, 1);
  assert.match(looked.stderr, /^capstand restore: [^\n]*cut\.backup[^\n]*\n$/);
  assert.ok(looked.stdout.startsWith(`${whole}\nIntact: created `), looked.stdout);
});

test('--help and --version print to standard output', async () => {
  const help = await capstand(['--help'], {}).ended;
  assert.deepEqual([help.code, help.stderr], [0, '']);
  assert.match(help.stdout, /^usage: capstand <command>/);
  assert.match(help.stdout, /^ {2}moderation +list reports/m);
  const version = await capstand(['--version'], {}).ended;
  assert.match(version.stdout, /^capstand \d+\.\d+\.\d+, Node \d+/);
});

test("only the service's user can read the database, whatever the mode of the directory", async () => {
  const DATA_DIR = await freshDir();
  await chmod(DATA_DIR, 0o755);
  const { code } = await capstand(['migrate'], { DATA_DIR }).ended;
  assert.equal(code, 0);
  assert.equal((await stat(join(DATA_DIR, 'capstan.db'))).mode & 0o777, 0o600);
});
