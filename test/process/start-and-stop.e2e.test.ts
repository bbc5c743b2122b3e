import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { openDatabase } from '#core/db/open.ts';
import { until } from '#test/until.ts';
import { capstand, type Ended, freshDir } from './capstand.ts';
import { halfAsked, isClosed } from './half-asked.ts';

/** Beside what it logs as it always does: that it was started. */
function isOnePlainLine({ code, stderr }: Ended, said: RegExp): void {
  assert.equal(code, 1);
  const plain = stderr
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{"level":"info"'));
  assert.equal(plain.length, 1, stderr);
  assert.match(plain[0] ?? '', said);
}

test('a command whose reader leaves early ends quietly, as in capstand … | head', async () => {
  const program = capstand(['--help'], {});
  program.child.stdout?.destroy();
  const { code, stderr } = await program.ended;
  assert.deepEqual([code, stderr], [0, '']);
});

test('starts with default settings, and SIGTERM finishes open requests before exit', async () => {
  const dir = await freshDir();
  const program = capstand(['serve'], { DATA_DIR: dir });
  const url = await program.url();
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  const port = Number(new URL(url).port);
  const { open, answers } = await halfAsked(port);
  program.child.kill('SIGTERM');
  await until('a closed port', () => isClosed(port));
  open.write('\r\n');
  const { code, stderr } = await program.ended;
  assert.equal(code, 0, stderr);
  assert.match(await answers, /^HTTP\/1\.1 200[\s\S]*HTTP\/1\.1 200/);
  const { db, close } = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
  const [entry] = await Array.fromAsync(listAudit(db));
  await close();
  const settings = ['PORT', 'DATA_DIR', 'CAPSTAN_PROVIDERS'];
  assert.deepEqual([entry?.action, entry?.target, entry?.detail.settings], ['service.start', 'serve', settings]);
  assert.match(stderr, /"audit":\{"seq":1,.*"action":"service.start"/);
});

test('a port in use: one-line error that names PORT, exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const ended = await capstand(['serve'], { DATA_DIR: await freshDir(), PORT: `${port}` }).ended;
  other.close();
  isOnePlainLine(ended, new RegExp(`Port ${port} on 127.0.0.1 is already in use.*PORT`));
});

test('a DATA_DIR that is not writable: one-line error', async () => {
  const file = join(await freshDir(), 'a-file');
  await writeFile(file, '');
  isOnePlainLine(await capstand(['serve'], { DATA_DIR: join(file, 'data') }).ended, /Cannot write to DATA_DIR/);
});

test('a database newer than the program: one-line error', async () => {
  const dir = await freshDir();
  assert.equal((await capstand(['migrate'], { DATA_DIR: dir }).ended).code, 0);
  const { db, close } = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
  await db.insertInto('schema_migrations').values({ version: 9_999, name: 'later', applied_at: 'x' }).execute();
  await close();
  isOnePlainLine(await capstand(['serve'], { DATA_DIR: dir }).ended, /schema version 9999.*newer program/);
});

test('an unknown setting: one-line error with the nearest name', async () => {
  const ended = await capstand(['serve'], { DATA_DIR: await freshDir(), CAPSTAN_SYNC_INTERVAL_S: '5' }).ended;
  isOnePlainLine(ended, /Unknown setting: CAPSTAN_SYNC_INTERVAL_S. Did you mean CAPSTAN_SYNC_INTERVAL\?/);
});

test('an unreachable database: one-line error without the password', async () => {
  const ended = await capstand(['serve'], {
    DATA_DIR: await freshDir(),
    DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/d',
  }).ended;
  isOnePlainLine(ended, /PostgreSQL at 127\.0\.0\.1:9 is unreachable \(ECONNREFUSED\)/);
  assert.doesNotMatch(ended.stderr, /hunter2/);
});

test('sync --help, where and schema print their output, and invalid commands and options exit with 2', async () => {
  const env = { DATA_DIR: await freshDir() };
  assert.match((await capstand(['sync', '--help'], env).ended).stdout, /^usage: capstand sync \[PROVIDER…\]/);
  for (const wrong of [['constructor'], ['serve', '--port=1'], ['migrate', 'now']]) {
    const { code, stderr } = await capstand(wrong, env).ended;
    assert.equal(code, 2, wrong.join(' '));
    assert.doesNotMatch(stderr, /^ {4}at /m);
  }
  const where = await capstand(['where', 'GET', '/api/skills/csv-profile/SKILL.md'], env).ended;
  assert.match(where.stdout, /^src\/runtime\/skills\/get-md\.ts /);
  assert.equal((await capstand(['where', 'runtime.skills.getMd'], env).ended).stdout, where.stdout);
  const page = await capstand(['where', 'GET', '/providers'], env).ended;
  assert.equal(page.code, 3);
  assert.match(page.stderr, /web\/server\/pages\.ts/);
  assert.match((await capstand(['schema'], env).ended).stdout, /^openapi: 3\.1/);
});

test('migrate --check exits with a different code for each schema state and creates nothing', async () => {
  const env = { DATA_DIR: join(await freshDir(), 'data') };
  const check = async () => (await capstand(['migrate', '--check'], env).ended).code;
  assert.equal(await check(), 3);
  assert.ok(!existsSync(env.DATA_DIR));
  assert.equal((await capstand(['migrate'], env).ended).code, 0);
  assert.equal(await check(), 0);
  const path = join(env.DATA_DIR, 'capstan.db');
  const { db, close } = await openDatabase({ engine: 'sqlite', path, thread: 'same' });
  await db.updateTable('schema_migrations').set({ digest: 'another' }).where('version', '=', 2).execute();
  assert.equal(await check(), 4);
  await db.insertInto('schema_migrations').values({ version: 9_999, name: 'later', applied_at: 'x' }).execute();
  await close();
  assert.equal(await check(), 5);
});
