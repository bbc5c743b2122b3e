import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type BundleServer, bundleOf, openBundleServer } from '#test/packages/bundles.ts';
import { openTestPackages, ref, runPrepared, type TestPackages } from '#test/packages/store.ts';
import type { PrepareOptions } from './package.ts';

/** What the store does with every ecosystem, shown with bundles, which need no package manager. */

let server: BundleServer;
let packages: TestPackages;
before(async () => {
  server = await openBundleServer();
});
after(() => server.close());
beforeEach(() => {
  server.served.clear();
  server.requests.length = 0;
  packages = openTestPackages({});
});
afterEach(() => packages.close());

const SHARED = { path: 'lib/shared.js', bytes: `module.exports = 'shared'; // ${'x'.repeat(200_000)}` };

/** Publishes a bundle whose server prints its name. The file SHARED is the same in all of them. */
function publish(name: string, source = `console.log('${name}', require('../lib/shared.js'))`) {
  const main = { path: 'server/index.js', bytes: source };
  const bytes = bundleOf({ files: [main, SHARED] });
  server.served.set(`/${name}.mcpb`, bytes);
  return ref('mcpb', `${server.origin}/${name}.mcpb`, '1.0.0', createHash('sha256').update(bytes).digest('hex'));
}

const prepare = (name: string, options: PrepareOptions = {}) => packages.store.prepare(publish(name), options);

test('a second prepare() sends no request, and another store on the same folder finds the package', async () => {
  const wanted = publish('weather');
  assert.equal(await packages.store.find(wanted), null);
  const first = await packages.store.prepare(wanted);
  server.requests.length = 0;
  const second = await packages.store.prepare(wanted);
  const found = await packages.again().find(wanted);
  assert.deepEqual(server.requests, []);
  assert.deepEqual([second.tree_sha256, found?.tree_sha256], [first.tree_sha256, first.tree_sha256]);
  assert.deepEqual(found?.entry, first.entry);
});

test('two stores that prepare the same package at the same time fetch it once', async () => {
  const wanted = publish('weather');
  const other = packages.again();
  const results = await Promise.all([
    packages.store.prepare(wanted),
    packages.store.prepare(wanted),
    other.prepare(wanted),
  ]);
  assert.deepEqual(server.requests, ['/weather.mcpb']);
  assert.equal(new Set(results.map(({ tree_sha256 }) => tree_sha256)).size, 1);
});

test('stores packages whose server never exits, or exits with an error at once', async () => {
  const stays = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(\'{"id":2}\')';
  for (const source of ['process.exit(3)', stays])
    assert.ok((await packages.store.prepare(publish('unusual', source))).files > 0);
});

test('detects a file changed on disk, and prepares the package again', async () => {
  const prepared = await prepare('weather');
  await packages.store.verify(prepared);
  const file = join(prepared.dir, 'lib/shared.js');
  await chmod(file, 0o644);
  await writeFile(file, 'module.exports = "evil"');
  await chmod(file, 0o444);
  await assert.rejects(packages.store.verify(prepared), /Prepare the package again/);
  const again = await prepare('weather');
  assert.equal(again.tree_sha256, prepared.tree_sha256);
  await packages.store.verify(again);
  assert.equal(await runPrepared(again), 'weather shared\n');
});

test('detects an added file, a changed mode and a changed lock file', async () => {
  const changes = [
    async (dir: string) => {
      await chmod(dir, 0o755);
      await symlink('lib', join(dir, 'more'));
    },
    (dir: string) => chmod(join(dir, 'lib/shared.js'), 0o4444),
    async (_dir: string, lock: string) => {
      await chmod(lock, 0o644);
      await writeFile(lock, '{}');
    },
  ];
  for (const change of changes) {
    const prepared = await prepare('weather');
    await change(prepared.dir, prepared.lock_file);
    await assert.rejects(packages.store.verify(prepared), /Prepare the package again/);
  }
});

test('an aborted prepare() throws its reason and leaves no files', async () => {
  const controller = new AbortController();
  const work = prepare('weather', {
    signal: controller.signal,
    on_step: ({ step }) => step === 'fetching' && controller.abort(new Error('enough')),
  });
  await assert.rejects(work, /enough/);
  await packages.store.close();
  assert.deepEqual(await readdir(join(packages.dir, 'staging')), []);
  assert.equal((await packages.store.usage()).packages, 0);
});

test('aborting one caller does not abort another caller’s prepare() of the same package', async () => {
  const controller = new AbortController();
  const stays = prepare('weather');
  const leaves = prepare('weather', {
    signal: controller.signal,
    on_step: () => controller.abort(new Error('left')),
  });
  await assert.rejects(leaves, /left/);
  assert.ok((await stays).files > 0);
});

test('collect() removes unused packages and leftovers of a crash, but no package in use', async () => {
  const one = await prepare('one');
  const two = await prepare('two');
  const beforeBytes = (await packages.store.usage()).bytes;
  assert.ok(beforeBytes < one.size_bytes + two.size_bytes, 'the shared file is stored once');
  await mkdir(join(packages.dir, 'staging/crashed/tree'), { recursive: true });
  const release = await packages.store.hold(one);
  const kept = await packages.again().collect({ max_bytes: 0, grace_ms: 0 });
  assert.equal(kept.removed, 1);
  assert.ok(kept.freed_bytes > 0);
  assert.equal(await packages.store.find(two.ref), null);
  assert.equal(await runPrepared(one), 'one shared\n');
  assert.deepEqual(await readdir(join(packages.dir, 'staging')), []);
  await release();
  await packages.store.collect({ max_bytes: 0, grace_ms: 0 });
  assert.deepEqual(await packages.store.usage(), { packages: 0, bytes: 0 });
  assert.deepEqual(await readdir(join(packages.dir, 'trees')), []);
});

test('collect() keeps packages used within the grace period', async () => {
  await prepare('weather');
  assert.deepEqual(await packages.store.collect({ max_bytes: 0 }), { removed: 0, freed_bytes: 0 });
});

test('collect() removes demoted packages first, unless they were used again', async () => {
  const [tried, used] = [await prepare('tried'), await prepare('used')];
  await packages.store.demote(tried.ref);
  await packages.store.demote(used.ref);
  assert.ok((await packages.store.find(used.ref)) !== null);
  assert.equal((await packages.store.collect({ max_bytes: 0 })).removed, 1);
  assert.equal(await packages.store.find(tried.ref), null);
  assert.ok((await packages.store.find(used.ref)) !== null);
});
