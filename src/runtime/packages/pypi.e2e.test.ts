import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Problem } from '#core/problem/problem.ts';
import { zipOf } from '#test/packages/archives.ts';
import { openPypiIndex, type PypiIndex } from '#test/packages/pypi-index.ts';
import { openTestPackages, ref, runPrepared, type TestPackages } from '#test/packages/store.ts';
import type { PrepareOptions } from './package.ts';
import { findPython } from './python.ts';
import { checkZip } from './unzip.ts';

const skip = await findPython(null).then(
  () => false,
  (error: Error) => error.message,
);

let index: PypiIndex;
/** One store for all tests, since each installation starts pip and Python three times. */
let packages: TestPackages;
before(async () => {
  index = await openPypiIndex();
  packages = openTestPackages({ pypi_index: index.url });
});
after(async () => {
  await packages.close();
  await index.close();
});
beforeEach(() => {
  index.form = 'json';
  index.requests.length = 0;
  packages.boxes.orders.length = 0;
});

const prepare = (name: string, version = '1.0.0', options: PrepareOptions = {}) =>
  packages.store.prepare(ref('pypi', name, version), options);
const rejects = (work: Promise<unknown>, refusal: string, message: RegExp = /./) =>
  assert.rejects(work, (error: Problem) => {
    assert.equal(error.reason ?? error.code.replace('packages.', ''), refusal, error.message);
    assert.match(error.message, message);
    return true;
  });

function publishHonest(): void {
  index.publish('left-side', { version: '2.1', files: [{ path: 'left_side.py', bytes: 'NAME = "left"\n' }] });
  index.publish('mcp-weather', {
    version: '1.0.0',
    requires: ['left-side>=2'],
    requires_python: '>=3.8',
    scripts: { 'mcp-weather': 'weather:main', 'weather-admin': 'weather:admin' },
    files: [
      {
        path: 'weather.py',
        bytes: 'import sys, left_side\ndef main(): print(left_side.NAME, *sys.argv[1:])\ndef admin(): pass\n',
      },
    ],
  });
}

test('installs an exact PyPI version without network from hashed wheels, and starts it', { skip }, async () => {
  publishHonest();
  const steps: string[] = [];
  const prepared = await prepare('MCP_Weather', '1.0', { on_step: ({ step }) => steps.push(step) });
  assert.deepEqual([...new Set(steps)], ['resolving', 'fetching', 'checking', 'storing']);
  assert.equal(await runPrepared(prepared, ['hello']), 'left hello\n');
  assert.equal(
    await readFile(prepared.lock_file, 'utf8'),
    `left-side==2.1 --hash=sha256:${index.sha256Of('left-side', '2.1')}\nmcp-weather==1.0.0 --hash=sha256:${index.sha256Of('mcp-weather', '1.0.0')}\n`,
  );
  // pip downloads with the network, and installs and compiles without.
  assert.deepEqual(
    packages.boxes.orders.map(({ egress }) => egress.mode),
    ['allow', 'none', 'none'],
  );
  // Compiled files contain no path of the host.
  const compiled = await readdir(join(prepared.dir, 'site/__pycache__'));
  assert.ok(compiled.some((name) => name.startsWith('weather.')));
  for (const name of compiled) {
    const bytes = await readFile(join(prepared.dir, 'site/__pycache__', name));
    assert.ok(!bytes.includes(packages.dir), name);
    assert.ok(bytes.includes('/package/site/'), name);
  }
});

test('installs from an index in HTML, and another installation has the same digests', { skip }, async () => {
  publishHonest();
  const first = await prepare('mcp-weather', '1.0');
  index.form = 'html';
  // An HTML index contains no upload times.
  const elsewhere = openTestPackages({ pypi_index: index.url, package_min_age_ms: 0 });
  try {
    const sha256 = index.sha256Of('mcp-weather', '1.0.0').toUpperCase();
    const second = await elsewhere.store.prepare(ref('pypi', 'mcp-weather', '1.0.0', sha256));
    assert.deepEqual([second.tree_sha256, second.lock_sha256], [first.tree_sha256, first.lock_sha256]);
  } finally {
    await elsewhere.close();
  }
});

test('starts another console script on request, and lists the scripts if it does not exist', { skip }, async () => {
  publishHonest();
  assert.equal(await runPrepared(await prepare('mcp-weather', '1.0', { entry: 'weather-admin' })), '');
  await rejects(prepare('mcp-weather', '1.0', { entry: 'other' }), 'entry_not_found', /mcp-weather, weather-admin/);
  index.publish('library', { version: '1.0.0', files: [{ path: 'library.py', bytes: '' }] });
  await rejects(prepare('library'), 'entry_not_found', /library/);
});

for (const version of ['latest', '>=1', '==1.0', '1.*', '', 'auto', '1.0+local', '@ file:///etc'])
  test(`refuses the version "${version}" without a request to the index`, { skip }, async () => {
    await rejects(prepare('mcp-weather', version), 'input');
    assert.deepEqual(index.requests, []);
  });

test('refuses invalid PyPI names', { skip }, async () => {
  for (const name of ['../x', 'a b', '-a', 'a-', 'a@b', 'https://x/y.whl', '']) await rejects(prepare(name), 'input');
});

test('reports an unknown package, an unknown version and a yanked release', { skip }, async () => {
  publishHonest();
  await rejects(prepare('nothing'), 'not_found');
  await rejects(prepare('mcp-weather', '9.0'), 'not_found');
  index.publish('yanked', { version: '1.0.0', yanked: true });
  await rejects(prepare('yanked'), 'gone');
});

test('refuses a package or dependency without a wheel instead of building it', { skip }, async () => {
  index.publish('source', { version: '1.0.0', kind: 'sdist' });
  await rejects(prepare('source'), 'needs_install_script', /no wheel/);
  index.publish('needs-source', { version: '1.0.0', requires: ['source'] });
  await rejects(prepare('needs-source'), 'needs_install_script', /source/);
});

test('names the Python version that a package requires', { skip }, async () => {
  index.publish('future', { version: '1.0.0', requires_python: '>=9.1' });
  await rejects(prepare('future'), 'wants_python', />=9\.1/);
});

test('refuses a release that is too new, and resolves dependencies to older versions', { skip }, async () => {
  index.publish('young', { version: '1.0.0', age_days: 1 });
  await rejects(prepare('young'), 'too_new', /minimum is 3/);
  index.publish('dep', { version: '1.0' }, { version: '1.1', age_days: 1 }, { version: '1.2', age_days: 2 });
  index.publish('old', {
    version: '1.0.0',
    requires: ['dep'],
    scripts: { old: 'old:main' },
    files: [{ path: 'old.py', bytes: '' }],
  });
  assert.match(await readFile((await prepare('old')).lock_file, 'utf8'), /^dep==1\.0 /m);
  index.publish('only-young', { version: '1.0.0', requires: ['young'] });
  await rejects(prepare('only-young'), 'too_new');
});

test('refuses releases of an index without upload times, and names the setting that allows them', {
  skip,
}, async () => {
  index.publish('untimed', { version: '1.0.0' });
  index.form = 'html';
  await rejects(prepare('untimed'), 'too_new', /no release time.*CAPSTAN_PACKAGE_MIN_AGE=0s/);
});

test('refuses a wheel that does not match the index’s hash or the listing’s hash', { skip }, async () => {
  index.publish('swapped', { version: '1.0.0', told_sha256: 'b'.repeat(64) });
  await rejects(prepare('swapped'), 'hash_mismatch', /b{64}/);
  publishHonest();
  await rejects(packages.store.prepare(ref('pypi', 'mcp-weather', '1.0.0', 'a'.repeat(64))), 'hash_mismatch');
});

test('refuses wheels with unsafe paths, links or too many bytes before pip unpacks them', {
  skip,
}, async () => {
  const hostile = {
    up: [{ path: '../../escaped.py', bytes: 'x' }],
    absolute: [{ path: '/tmp/escaped.py', bytes: 'x' }],
    link: [{ path: 'passwd', bytes: '/etc/passwd', mode: 0o120777 }],
    bomb: [{ path: 'bomb.py', bytes: Buffer.alloc(2 << 20) }],
  };
  index.publish('link', { version: '1.0.0', files: hostile.link });
  await rejects(prepare('link'), 'unsafe_files');
  assert.deepEqual(
    packages.boxes.orders.map(({ egress }) => egress.mode),
    ['allow'],
    'pip install never ran',
  );
  // The same check of the other wheels, without a download by pip.
  const limits = { what: 'wheel', max_bytes: 1 << 20, max_files: 10 };
  for (const [name, files] of Object.entries(hostile)) {
    const wheel = join(packages.dir, `${name}.whl`);
    await writeFile(wheel, zipOf(files));
    await rejects(checkZip(wheel, limits), name === 'bomb' ? 'too_large' : 'unsafe_files');
  }
});

test('resolves specifiers and `latest` to the newest version that is old enough', async () => {
  index.publish(
    'many',
    { version: '1.0' },
    { version: '1.10' },
    { version: '1.9' },
    { version: '2.0rc1' },
    { version: '2.0', age_days: 1 },
  );
  const resolve = (wanted: string) => packages.store.resolveVersion({ ecosystem: 'pypi', name: 'many', wanted });
  assert.deepEqual(await Promise.all(['latest', '', '<1.10', '~=1.0', '==1.0'].map(resolve)), [
    '1.10',
    '1.10',
    '1.9',
    '1.10',
    '1.0',
  ]);
  await rejects(resolve('>=2.0'), 'too_new');
  await rejects(resolve('>5'), 'not_found');
  await rejects(resolve('one'), 'input');
});

test('names the setting CAPSTAN_PYTHON when pip is not installed', async () => {
  const bare = openTestPackages({ pypi_index: index.url, python: '/bin/false' });
  try {
    await rejects(bare.store.prepare(ref('pypi', 'a', '1.0')), 'manager_unavailable', /CAPSTAN_PYTHON/);
  } finally {
    await bare.close();
  }
});
