import assert from 'node:assert/strict';
import { lstat, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Problem } from '#core/problem/problem.ts';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import { type TarEntry, tarOf } from '#test/packages/archives.ts';
import { type ImageRegistry, openImageRegistry } from '#test/packages/image-registry.ts';
import { shellFiles } from '#test/packages/shell-files.ts';
import { openTestPackages, ref, type TestPackages } from '#test/packages/store.ts';
import type { PackagesConfig } from './open-packages.ts';

/** Images of a loopback registry that speaks the distribution protocol. */

let registry: ImageRegistry;
let packages: TestPackages;
const open = (config: Partial<PackagesConfig> = {}) =>
  openTestPackages({ oci_registries: `${registry.host}=${registry.url}`, ...config });
beforeEach(async () => {
  registry = await openImageRegistry();
  packages = open();
});
afterEach(async () => {
  await packages.close();
  await registry.close();
});
const driver = await openBwrapDriver();
after(() => driver.close());
const skip = driver.isolation === null && 'bubblewrap cannot start boxes here';

const rejects = (work: Promise<unknown>, refusal: string, message: RegExp = /./) =>
  assert.rejects(work, (error: Problem) => {
    assert.equal(error.reason ?? error.code.replace('packages.', ''), refusal, error.message);
    assert.match(error.message, message);
    return true;
  });

const START = { Entrypoint: ['/bin/server'], Cmd: ['--loud'], Env: ['MODE=quiet'], WorkingDir: '/srv' };
const image = () => `${registry.host}/ana/server`;
const prepare = (layers: readonly (readonly TarEntry[] | Buffer)[], config: Record<string, unknown> = START) =>
  packages.store.prepare(ref('oci', image(), registry.push('ana/server', '1', { layers, config })));

test('merges image layers with whiteouts into one tree, without devices, owners or setuid bits', async () => {
  const prepared = await prepare([
    [
      { path: 'usr/bin/', type: '5', mode: 0o755 },
      { path: 'bin', type: '2', target: 'usr/bin' },
      { path: 'usr/bin/server', text: 'one', mode: 0o4755 },
      { path: 'srv/old/a', text: 'a' },
      { path: 'srv/kept', text: 'kept' },
      { path: 'srv/removed', text: 'removed' },
      { path: 'dev/null', type: '3' },
      { path: 'absolute', type: '2', target: '/srv/kept' },
    ],
    [
      { path: './bin/server', text: 'two', mode: 0o755 },
      { path: 'srv/old/.wh..wh..opq' },
      { path: 'srv/old/b', text: 'b' },
      { path: 'srv/.wh.removed' },
      { path: 'srv/twin', type: '1', target: 'srv/kept' },
    ],
  ]);
  const read = (path: string) => readFile(join(prepared.dir, path), 'utf8').catch(({ code }) => code);
  assert.equal(await read('usr/bin/server'), 'two');
  assert.equal((await lstat(join(prepared.dir, 'usr/bin/server'))).mode & 0o7777, 0o555);
  assert.deepEqual(await Promise.all(['srv/old/a', 'srv/removed', 'dev/null'].map(read)), [
    'ENOENT',
    'ENOENT',
    'ENOENT',
  ]);
  assert.deepEqual(await Promise.all(['srv/old/b', 'srv/twin'].map(read)), ['b', 'kept']);
  assert.equal(await readlink(join(prepared.dir, 'absolute')), 'srv/kept');
  assert.deepEqual(prepared.entry, {
    argv: ['/bin/server', '--loud'],
    env: { PATH: prepared.entry.env.PATH, MODE: 'quiet' },
    cwd: '/srv',
  });
  assert.equal(prepared.root, prepared.dir);
  assert.match(registry.requests.join('\n'), new RegExp(`manifests/sha256:${prepared.lock_sha256}`));
  await packages.store.verify(prepared);
});

test('resolves a tag to a digest and an index to this platform’s image, and stores an image once', async () => {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const layers = [[{ path: 'server', text: '' }]];
  const index = registry.push('ana/server', 'v2', {
    layers,
    config: START,
    platforms: ['linux/s390x', `linux/${arch}`],
  });
  const version = await packages.store.resolveVersion({ ecosystem: 'oci', name: image(), wanted: 'v2' });
  assert.equal(version, index);
  const prepared = await packages.store.prepare(ref('oci', image(), version));
  assert.notEqual(`sha256:${prepared.lock_sha256}`, index);
  const asked = registry.requests.length;
  assert.equal((await packages.store.prepare(ref('oci', image(), version))).tree_sha256, prepared.tree_sha256);
  assert.equal(registry.requests.length, asked);
  const other = registry.push('ana/server', 'other', { layers, platforms: ['linux/s390x', 'windows/amd64'] });
  await rejects(packages.store.prepare(ref('oci', image(), other)), 'wants_runtime', /linux\/s390x, windows\/amd64/);
});

test('fetches a token when the registry asks for one, and does not send it to redirected blob hosts', async () => {
  registry.protect();
  registry.redirectBlobs();
  await prepare([[{ path: 'server', text: '' }]]);
  assert.ok(registry.requests.includes('GET /token'));
  assert.deepEqual(new Set(registry.requests.filter((line) => line.startsWith('STORE'))), new Set(['STORE anonymous']));
});

test('pulls a private image only with a password from CAPSTAN_OCI_AUTH', async () => {
  registry.protect('ana:secret');
  const layers = [[{ path: 'server', text: '' }]];
  await rejects(prepare(layers), 'access_denied', /CAPSTAN_OCI_AUTH/);
  const file = join(packages.dir, 'auth.json');
  const auth = Buffer.from('ana:secret').toString('base64');
  await writeFile(file, JSON.stringify({ auths: { [registry.host]: { auth } } }));
  const privateStore = open({ oci_auth: file });
  try {
    const version = registry.push('ana/server', '1', { layers, config: START });
    await privateStore.store.prepare(ref('oci', image(), version));
  } finally {
    await privateStore.close();
  }
});

const HOSTILE: [string, string, RegExp, readonly (readonly TarEntry[] | Buffer)[]][] = [
  ['a name with ..', 'unsafe_files', /leaves the image/, [[{ path: '../escape', text: 'x' }]]],
  ['a hard link to a host file', 'unsafe_files', /missing file/, [[{ path: 'a', type: '1', target: '/etc/passwd' }]]],
  ['a file below a file', 'unsafe_files', /below a file/, [[{ path: 'a', text: '' }], [{ path: 'a/b', text: '' }]]],
  [
    'symlinks in a cycle',
    'unsafe_files',
    /too many links/,
    [
      [
        { path: 'a', type: '2', target: 'b' },
        { path: 'b', type: '2', target: 'a' },
        { path: 'a/x', text: '' },
      ],
    ],
  ],
  [
    'too many files',
    'too_many_files',
    /200 files/,
    [Array.from({ length: 201 }, (_, at) => ({ path: `f${at}`, text: '' }))],
  ],
  [
    'a decompression bomb',
    'too_large',
    /CAPSTAN_PACKAGE_MAX_MB/,
    [tarOf([{ path: 'zero', text: '\0'.repeat(3 * 1_048_576) }])],
  ],
  ['a layer compressed twice', 'unsafe_files', /compressed twice/, [gzipSync(tarOf([{ path: 'a', text: '' }]))]],
  ['bytes that are not an archive', 'unsafe_files', /damaged/, [gzipSync(Buffer.from('hello '.repeat(500)))]],
  ['a truncated archive', 'unsafe_files', /damaged/, [tarOf([{ path: 'a', text: 'x'.repeat(5_000) }]).subarray(0, 60)]],
];
for (const [title, code, message, layers] of HOSTILE)
  test(`refuses an image with ${title}`, async () => {
    await packages.close();
    packages = open({ package_max_files: 200, package_max_mb: 2 });
    await rejects(prepare(layers), code, message);
    const { packages: kept } = await packages.store.usage();
    assert.equal(kept, 0);
  });

test('a layer that writes through absolute or parent links stays inside the tree', async () => {
  const prepared = await prepare([
    [
      { path: 'out', type: '2', target: '/etc' },
      { path: 'up', type: '2', target: '../../../../etc' },
    ],
    [
      { path: 'out/one', text: '1' },
      { path: 'up/two', text: '2' },
    ],
  ]);
  assert.equal(await readFile(join(prepared.dir, 'etc/one'), 'utf8'), '1');
  assert.equal(await readFile(join(prepared.dir, 'etc/two'), 'utf8'), '2');
  assert.equal(await readlink(join(prepared.dir, 'up')), 'etc');
});

test('refuses wrong digests, tags in place of digests, other registries and unknown images', async () => {
  const layers = [[{ path: 'server', text: '' }]];
  const digest = registry.push('ana/server', '1', { layers, config: START });
  const { layers: listed } = JSON.parse(
    await (await fetch(`${registry.url}/v2/ana/server/manifests/${digest}`)).text(),
  ) as { layers: { digest: string }[] };
  registry.swap(listed[0]?.digest ?? '', tarOf([{ path: 'server', text: 'evil' }]).subarray(0, 60));
  await rejects(packages.store.prepare(ref('oci', image(), digest)), 'hash_mismatch');
  await rejects(packages.store.prepare(ref('oci', image(), '1')), 'input', /digest/);
  await rejects(packages.store.prepare(ref('oci', 'ghcr.io/ana/server', digest)), 'registry_forbidden');
  await rejects(packages.store.prepare(ref('oci', 'Ana Server', digest)), 'input');
  const missing = `sha256:${'0'.repeat(64)}`;
  await rejects(packages.store.prepare(ref('oci', image(), missing)), 'not_found');
});

test('starts an image in a box whose root is the image, mounted read-only', {
  skip: skip || shellFiles() === null,
}, async () => {
  const script = `#!/bin/sh
echo "$PWD $MODE $1"
(echo x > /srv/new) 2>/dev/null && echo written
for path in /usr/bin/node /etc/shadow /home /root; do [ -e $path ] && echo "host: $path"; done
echo x > /tmp/new && read -r line < /tmp/new && echo "tmp $line"
read -r user < /etc/passwd && echo "$user"`;
  const prepared = await prepare([
    [...(shellFiles() ?? []), { path: 'bin/server', text: script, mode: 0o755 }, { path: 'srv/x', text: '' }],
  ]);
  const { entry, root, mounts } = prepared;
  const box = await driver.start({
    argv: entry.argv,
    env: entry.env,
    cwd: entry.cwd,
    mounts,
    root: root ?? undefined,
    disk: null,
    limits: SMALL_LIMITS,
    egress: { mode: 'none', watch: false },
  });
  let text = '';
  for (const stream of [box.stdout, box.stderr]) stream.on('data', (chunk) => (text += chunk));
  box.stdin.end();
  const { code, message } = await box.gone;
  assert.equal(code, 0, `${message}\n${text}`);
  assert.equal(text, '/srv quiet --loud\ntmp x\nbox:x:1000:1000:box:/tmp:/bin/sh\n');
});
