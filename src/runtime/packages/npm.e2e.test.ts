import assert from 'node:assert/strict';
import { chmod, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Problem } from '#core/problem/problem.ts';
import { type NpmRegistry, openNpmRegistry, type Release } from '#test/packages/npm-registry.ts';
import { npmCliHere, openTestPackages, ref, runPrepared, type TestPackages } from '#test/packages/store.ts';
import type { PackageRef, PrepareOptions } from './package.ts';

const skip = npmCliHere() === null ? 'no npm CLI that is new enough is installed' : false;

let registry: NpmRegistry;
/** One store for all tests, since each installation starts npm. */
let packages: TestPackages;
before(async () => {
  registry = await openNpmRegistry();
  packages = openTestPackages({ npm_registry: registry.url });
});
after(async () => {
  await packages.close();
  await registry.close();
});
beforeEach(() => {
  registry.fail(null);
  registry.requests.length = 0;
  packages.boxes.orders.length = 0;
});

const prepare = (name: string, version = '1.0.0', options: PrepareOptions = {}) =>
  packages.store.prepare(ref('npm', name, version), options);
const rejects = (work: Promise<unknown>, refusal: string, message: RegExp = /./) =>
  assert.rejects(work, (error: Problem) => {
    assert.equal(error.reason ?? error.code.replace('packages.', ''), refusal, error.message);
    assert.match(error.message, message);
    return true;
  });

/** Publishes a server with one dependency; its command prints its arguments. */
function publishHonest(name = '@ana/weather'): void {
  registry.publish('left', {
    version: '2.1.0',
    files: [
      { path: 'index.js', text: 'module.exports = "left"' },
      { path: 'large.txt', text: 'x'.repeat(200_000) },
    ],
  });
  registry.publish(name, {
    version: '1.0.0',
    manifest: { bin: { weather: 'bin/start.js' }, dependencies: { left: '^2.0.0' } },
    files: [
      { path: 'bin/start.js', text: '#!/usr/bin/env node\nconsole.log(require("left"), process.argv.slice(2).join())' },
    ],
  });
}

/** Publishes a server whose interpreter is the command of a dependency, which has a newer release. */
function publishStarted(): void {
  const runner: Release = {
    version: '1.0.0',
    age_days: 30,
    manifest: { bin: 'run.js' },
    files: [{ path: 'run.js', text: '#!/usr/bin/env node\nconsole.log("ran by runner")' }],
  };
  registry.publish('runner', runner, { version: '1.1.0', age_days: 1 });
  registry.publish('started', {
    version: '1.0.0',
    manifest: { bin: 'a.sh', dependencies: { runner: '^1.0.0' } },
    files: [{ path: 'a.sh', text: '#!/usr/bin/env runner\n' }],
  });
}

test('installs an exact npm version in its own box, with a lock file and a compile cache, and starts it', {
  skip,
}, async () => {
  publishHonest();
  const steps: string[] = [];
  const prepared = await prepare('@ana/weather', '1.0.0', { on_step: ({ step }) => steps.push(step) });

  // The files and the lock.
  assert.deepEqual([...new Set(steps)], ['resolving', 'fetching', 'checking', 'storing']);
  assert.equal(await runPrepared(prepared, ['hello']), 'left hello\n');
  assert.match(prepared.tree_sha256, /^[0-9a-f]{64}$/);
  const lock = JSON.parse(await readFile(prepared.lock_file, 'utf8'));
  assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/@ana/weather', 'node_modules/left']);
  assert.ok(!JSON.stringify(lock).includes(registry.url), 'the lock is the same from every mirror');
  const file = await lstat(join(prepared.dir, 'node_modules/left/index.js'));
  assert.equal(file.mode & 0o777, 0o444);
  assert.equal((await lstat(join(prepared.dir, 'node_modules'))).mode & 0o777, 0o555);
  assert.deepEqual(await readdir(join(packages.dir, 'staging')), []);
  const { argv, env, cwd } = prepared.entry;
  assert.ok(
    [...argv, ...Object.values(env), cwd].every((text) => !text.includes(packages.dir)),
    'no path of the host',
  );

  // The box reaches only the registry, and has no environment of the service.
  const [order] = packages.boxes.orders;
  const { hostname, port } = new URL(registry.url);
  assert.deepEqual(order?.egress, { mode: 'allow', hosts: [{ host: hostname, ports: [Number(port)], plain: true }] });
  assert.deepEqual(Object.keys(order?.env ?? {}).sort(), ['HOME', 'NO_UPDATE_NOTIFIER', 'PATH', 'TMPDIR']);
  assert.deepEqual(
    order?.mounts.filter(({ writable }) => writable).map(({ to }) => to),
    ['/install'],
  );
  assert.equal(order?.limits.wall_ms, 60_000);

  // Another spelling of the version is the same package, and needs no request.
  registry.requests.length = 0;
  const second = await prepare('@ana/weather', 'v1.0.0');
  assert.deepEqual(registry.requests, []);
  assert.equal(second.tree_sha256, prepared.tree_sha256);

  // The compile cache is filled without network or secrets, mounted read-only and verified.
  const [, warm] = packages.boxes.orders;
  assert.deepEqual(warm?.egress, { mode: 'none', watch: false });
  assert.deepEqual(Object.keys(warm?.env ?? {}).sort(), ['NODE_COMPILE_CACHE', 'PATH']);
  assert.equal(prepared.entry.env.NODE_COMPILE_CACHE, '/package-cache');
  const mount = prepared.mounts.find(({ to }) => to === '/package-cache');
  assert.equal(mount?.writable, false);
  const [kept] = await readdir(mount?.from ?? '', { recursive: true, withFileTypes: true });
  const cached = join(kept?.parentPath ?? '', kept?.name ?? '');
  await chmod(cached, 0o755);
  await rejects(packages.store.verify(prepared), 'tree_changed');
});

for (const version of ['latest', '^1.0.0', '1.x', '*', '', '>=1', 'file:/etc', 'git+https://example.com/a.git'])
  test(`refuses the version "${version}" without a request to the registry`, async () => {
    await rejects(prepare('@ana/weather', version), 'input', /exact version/);
    assert.deepEqual(registry.requests, []);
  });

for (const name of [
  '../etc',
  '@ana',
  '@ana/../b',
  'a b',
  '.hidden',
  'node_modules',
  'a'.repeat(215),
  'https://x/y.tgz',
])
  test(`refuses the name "${name.slice(0, 20)}" without a request to the registry`, async () => {
    await rejects(prepare(name), 'input');
    assert.deepEqual(registry.requests, []);
  });

test('reports an unknown package, an unknown version and an unpublished version with different errors', async () => {
  registry.publish('once', { version: '1.0.0', unpublished: true }, { version: '1.0.1' });
  await rejects(prepare('nothing'), 'not_found', /nothing/);
  await rejects(prepare('once', '3.0.0'), 'not_found', /latest version is 1\.0\.1/);
  await rejects(prepare('once'), 'gone', /Choose another version/);
});

test('reports that the registry is unavailable, or that no registry is configured', async () => {
  registry.fail(503);
  await rejects(prepare('@ana/weather'), 'registry_unavailable', /status 503.*Retry/);
  const unset = openTestPackages({});
  try {
    await rejects(unset.store.prepare(ref('npm', 'a', '1.0.0')), 'registry_required', /CAPSTAN_NPM_REGISTRY/);
  } finally {
    await unset.close();
  }
});

test('refuses the registry and the hash of a listing unless they match; another installation has the same digests', {
  skip,
}, async () => {
  publishHonest();
  const of = (sha256: string | null, registry: string | null): PackageRef =>
    Object.assign(ref('npm', '@ana/weather', '1.0.0', sha256), { registry });
  const sha256 = registry.sha256Of('@ana/weather', '1.0.0');
  const alias = 'https://npm.example/';
  const { store } = packages;
  await rejects(store.prepare(of(sha256, alias)), 'registry_forbidden', /CAPSTAN_PACKAGE_REGISTRY_ALIASES/);
  await rejects(store.prepare(of('a'.repeat(64), null)), 'hash_mismatch', /expected a{64}/);
  const elsewhere = openTestPackages({ npm_registry: registry.url, registry_aliases: 'https://npm.example' });
  try {
    const first = await prepare('@ana/weather');
    const other = await elsewhere.store.prepare(of(sha256, alias));
    assert.deepEqual([other.tree_sha256, other.lock_sha256], [first.tree_sha256, first.lock_sha256]);
  } finally {
    await elsewhere.close();
  }
});

test('refuses a release that is too new, and resolves dependencies to older versions', { skip }, async () => {
  registry.publish('young', { version: '1.0.0', age_days: 1 });
  await rejects(prepare('young'), 'too_new', /1 day ago; the minimum is 3 days/);
  publishStarted();
  const prepared = await prepare('started');
  const lock = JSON.parse(await readFile(prepared.lock_file, 'utf8'));
  assert.equal(lock.packages['node_modules/runner'].version, '1.0.0');
  registry.publish('only-young', { version: '1.0.0', manifest: { dependencies: { young: '1.0.0' } } });
  await rejects(prepare('only-young'), 'too_new', /young/);
});

test('refuses a tarball that does not match the registry’s integrity', { skip }, async () => {
  registry.publish('swapped', { version: '1.0.0', manifest: { bin: 'a.js' }, swapped: Buffer.from('other bytes') });
  await rejects(prepare('swapped'), 'hash_mismatch');
});

test('refuses dependencies from Git, URLs, files and folders', { skip }, async () => {
  const sources = ['github:ana/a', `${registry.url}/extra.tgz`, 'file:/etc', 'file:../x.tgz'];
  registry.serve('extra.tgz', Buffer.from('nothing'));
  for (const [i, source] of sources.entries()) {
    registry.publish(`from-${i}`, { version: '1.0.0', manifest: { bin: 'a.js', dependencies: { dep: source } } });
    await rejects(prepare(`from-${i}`), 'source_forbidden');
  }
});

test('skips install scripts, and refuses packages that need one unless the operator allows it', {
  skip,
}, async () => {
  const script = { postinstall: "node -e \"require('fs').writeFileSync('made.js', 'console.log(1)')\"" };
  const native: Release = {
    version: '1.0.0',
    files: [{ path: 'binding.gyp', text: '{}' }],
    manifest: { scripts: { install: 'node-gyp rebuild' } },
  };
  registry.publish('harmless', { version: '1.0.0', manifest: { scripts: script } });
  registry.publish('native', native);
  registry.publish('fine', {
    version: '1.0.0',
    manifest: { bin: 'a.js', dependencies: { harmless: '1.0.0' }, optionalDependencies: { native: '1.0.0' } },
    files: [{ path: 'a.js', text: 'console.log("fine")' }],
  });
  const prepared = await prepare('fine');
  assert.deepEqual(prepared.scripts_skipped, ['harmless@1.0.0', 'native@1.0.0']);
  await assert.rejects(lstat(join(prepared.dir, 'node_modules/harmless/made.js')));
  assert.equal(await runPrepared(prepared), 'fine\n');
  registry.publish('compiled', {
    version: '1.0.0',
    manifest: { bin: 'a.js', dependencies: { native: '1.0.0' } },
    files: [{ path: 'a.js', text: '' }],
  });
  await rejects(prepare('compiled'), 'needs_install_script', /native@1\.0\.0 compiles.*CAPSTAN_PACKAGE_SCRIPTS/);
  registry.publish('made', { version: '1.0.0', manifest: { bin: 'made.js', scripts: script } });
  await rejects(prepare('made'), 'needs_install_script', /creates its command/);
  const allowing = openTestPackages({ npm_registry: registry.url, package_scripts: 'made' });
  try {
    const made = await allowing.store.prepare(ref('npm', 'made', '1.0.0'));
    assert.equal(await runPrepared(made), '1\n');
    assert.deepEqual(made.scripts_skipped, []);
  } finally {
    await allowing.close();
  }
});

test('starts the package’s own command or the requested one, else lists the commands', {
  skip,
}, async () => {
  const files = [
    { path: 'a.js', text: 'console.log("a")' },
    { path: 'b.js', text: 'console.log("b")' },
  ];
  registry.publish('@ana/two', { version: '1.0.0', manifest: { bin: { two: './a.js', other: 'b.js' } }, files });
  assert.equal(await runPrepared(await prepare('@ana/two')), 'a\n');
  assert.equal(await runPrepared(await prepare('@ana/two', '1.0.0', { entry: 'other' })), 'b\n');
  await rejects(prepare('@ana/two', '1.0.0', { entry: 'z' }), 'entry_not_found', /no command z\. It has two, other/);
  registry.publish('library', { version: '1.0.0', files });
  await rejects(prepare('library'), 'entry_not_found', /library/);
});

test('puts node_modules/.bin on PATH, also for the interpreter of a command', { skip }, async () => {
  publishStarted();
  const prepared = await prepare('started');
  const env = { ...prepared.entry.env, PATH: `${prepared.entry.env.PATH}:${process.execPath.replace(/\/node$/, '')}` };
  assert.equal(await runPrepared({ ...prepared, entry: { ...prepared.entry, env } }), 'ran by runner\n');
});

test('names the Node version, or Bun, that a package requires', { skip }, async () => {
  registry.publish('future', { version: '1.0.0', manifest: { engines: { node: '>=99' }, bin: 'a.js' } });
  await rejects(prepare('future'), 'wants_node', />=99/);
  registry.publish('bunny', {
    version: '1.0.0',
    manifest: { bin: 'a.ts' },
    files: [{ path: 'a.ts', text: '#!/usr/bin/env bun\n' }],
  });
  await rejects(prepare('bunny'), 'wants_runtime', /Bun/);
});

test('refuses a package with too many files or bytes, and names the setting', { skip }, async () => {
  const many = Array.from({ length: 250 }, (_, i) => ({ path: `f${i}.js`, text: `${i}` }));
  registry.publish('crowded', { version: '1.0.0', manifest: { bin: 'f1.js' }, files: many });
  registry.publish('large', {
    version: '1.0.0',
    manifest: { bin: 'a.js' },
    files: [{ path: 'a.js', text: 'x'.repeat(2 << 20) }],
  });
  const small = openTestPackages({ npm_registry: registry.url, package_max_files: 200, package_max_mb: 1 });
  try {
    const { store } = small;
    const files = /200 files.*CAPSTAN_PACKAGE_MAX_FILES/;
    await rejects(store.prepare(ref('npm', 'crowded', '1.0.0')), 'too_many_files', files);
    await rejects(store.prepare(ref('npm', 'large', '1.0.0')), 'too_large', /CAPSTAN_PACKAGE_MAX_MB/);
  } finally {
    await small.close();
  }
});

test('links and ".." in a tarball write nothing outside the package', { skip }, async () => {
  registry.publish('linked', {
    version: '1.0.0',
    manifest: { bin: 'a.js' },
    files: [
      { path: 'a.js', text: 'console.log("ok")' },
      { path: 'passwd', type: '2', target: '/etc/passwd' },
      { path: 'hard', type: '1', target: 'package/../../../../etc/passwd' },
      { path: '../../../../escaped.txt', text: 'out' },
    ],
  });
  const found = await prepare('linked').catch((error) => error);
  if (found instanceof Error) return assert.match((found as { code?: string }).code ?? '', /^packages\./);
  const names = await readdir(join(found.dir, 'node_modules/linked'));
  assert.ok(!names.includes('passwd') && !names.includes('hard'));
  assert.ok(!(await readdir(packages.dir)).includes('escaped.txt'));
});

test('stops an installation that exceeds CAPSTAN_PACKAGE_TIMEOUT', { skip }, async () => {
  const short = openTestPackages({ npm_registry: registry.url, package_timeout_ms: 50 });
  publishHonest();
  try {
    await rejects(short.store.prepare(ref('npm', '@ana/weather', '1.0.0')), 'timeout', /CAPSTAN_PACKAGE_TIMEOUT/);
  } finally {
    await short.close();
  }
});

test('resolves a range, a tag or `latest` to the newest version that is old enough', async () => {
  registry.publish(
    'many',
    { version: '1.0.0' },
    { version: '1.2.0' },
    { version: '2.0.0-rc.1' },
    { version: '2.0.0', age_days: 1 },
  );
  const resolve = (wanted: string) => packages.store.resolveVersion({ ecosystem: 'npm', name: 'many', wanted });
  assert.deepEqual(await Promise.all(['^1.0.0', '1.0.0', '', 'latest', '*'].map(resolve)), [
    '1.2.0',
    '1.0.0',
    '1.2.0',
    '1.2.0',
    '1.2.0',
  ]);
  await rejects(resolve('^2.0.0'), 'too_new');
  await rejects(resolve('^7.0.0'), 'not_found');
  await rejects(resolve('git+https://example.com/a'), 'input');
});
