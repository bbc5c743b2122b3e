import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { openTestPackages } from '#test/packages/store.ts';
import { acquireLock, type HeldLock } from './prepare-lock.ts';

const dir = await mkdtemp(join(tmpdir(), 'capstan-lock-'));
after(() => rm(dir, { recursive: true, force: true }));

const never = new AbortController().signal;
async function take(path: string, signal = never): Promise<HeldLock> {
  const held = await acquireLock(path, signal, async () => null);
  assert.ok('lock' in held);
  return held.lock;
}

test('only one caller holds the lock at a time', async () => {
  const path = join(dir, 'one');
  let inside = 0;
  let most = 0;
  const work = async () => {
    const lock = await take(path);
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
    await lock.release();
  };
  await Promise.all(Array.from({ length: 5 }, work));
  assert.equal(most, 1);
});

test('a waiter returns the finished result instead of the lock, and stops when its signal aborts', async () => {
  const path = join(dir, 'two');
  const lock = await take(path);
  assert.deepEqual(await acquireLock(path, never, async () => 'done'), { value: 'done' });
  await assert.rejects(take(path, AbortSignal.abort(new Error('enough'))), /enough/);
  await lock.release();
});

test('takes over the lock of a dead holder, whose late release() then has no effect', async () => {
  const path = join(dir, 'three');
  const dead = await take(path);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  const next = await take(path);
  await dead.release();
  assert.ok(existsSync(path), 'the new holder still has it');
  await next.release();
  assert.ok(!existsSync(path));
});

/** Starts a preparation whose install box never ends. */
const CHILD = `
import { openPackages } from ${JSON.stringify(fileURLToPath(new URL('./open-packages.ts', import.meta.url)))};
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
const [dir, npm_registry, npm_cli] = process.argv.slice(1);
const config = { npm_registry, npm_cli, npmrc: null, pypi_netrc: null, pypi_index: null, registry_aliases: '', python: null, oci_registries: '', oci_auth: null, oci_token_servers: '', package_file_hosts: '', registry_ca: null,
  package_min_age_ms: 0, package_timeout_ms: 60000, package_max_mb: 64, package_max_files: 2000, package_scripts: '' };
const boxes = { start: () => { process.stdout.write('in the box'); return new Promise(() => {}); } };
const store = openPackages({ dir, config, boxes, registry_fetch: openOperatorFetch().fetch, outbound: null, clock: Date });
setInterval(() => {}, 1000);
await store.prepare({ ecosystem: 'npm', name: 'weather', version: '1.0.0', registry: null, sha256: null, purl: '' });
`;

test('collect() removes the files of a process that was killed during prepare()', async () => {
  const registry = await openNpmRegistry();
  registry.publish('weather', { version: '1.0.0', manifest: { bin: 'a.js' } });
  const packages = openTestPackages({ npm_registry: registry.url });
  const npmCli = join(dir, 'npm');
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', `${CHILD}`, packages.dir, registry.url, await fakeNpm(npmCli)],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
  );
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  const left = async () => (await readdir(join(packages.dir, 'staging'))).length;
  assert.equal(await left(), 1);
  await packages.store.collect({ max_bytes: 0, grace_ms: 0 });
  assert.equal(await left(), 1, 'it may be alive');
  const longAgo = new Date(Date.now() - 60_000);
  for (const name of await readdir(join(packages.dir, 'holds')))
    await utimes(join(packages.dir, 'holds', name), longAgo, longAgo);
  await packages.store.collect({ max_bytes: 0, grace_ms: 0 });
  assert.equal(await left(), 0);
  assert.deepEqual(await packages.store.usage(), { packages: 0, bytes: 0 });
  await packages.close();
  await registry.close();
});

/** The folder of an npm CLI that is never run. */
async function fakeNpm(folder: string): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'npm', version: '99.0.0' }));
  await writeFile(join(folder, 'bin/npm-cli.js'), '');
  return folder;
}
