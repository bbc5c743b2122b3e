import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Problem } from '#core/problem/problem.ts';
import type { ZipEntry } from '#test/packages/archives.ts';
import { type Bundle, type BundleServer, bundleOf, INDEX, openBundleServer } from '#test/packages/bundles.ts';
import { openTestPackages, ref, runPrepared, type TestPackages } from '#test/packages/store.ts';
import { fillEntry } from './fill-entry.ts';
import { settingsOf } from './settings-of.ts';

let server: BundleServer;
let packages: TestPackages;
before(async () => {
  server = await openBundleServer();
});
after(() => server.close());
beforeEach(() => {
  server.served.clear();
  packages = openTestPackages({});
});
afterEach(() => packages.close());

const rejects = (work: Promise<unknown>, refusal: string, message: RegExp = /./) =>
  assert.rejects(work, (error: Problem) => {
    assert.equal(error.reason ?? error.code.replace('packages.', ''), refusal, error.message);
    assert.match(error.message, message);
    return true;
  });

function prepareZip(bytes: Buffer, sha256: string | null = createHash('sha256').update(bytes).digest('hex')) {
  server.served.set('/server.mcpb', bytes);
  return packages.store.prepare(ref('mcpb', `${server.origin}/server.mcpb`, '1.0.0', sha256));
}

test('verifies an MCPB bundle by its hash, unpacks it, and starts it with the user’s values', async () => {
  const prepared = await prepareZip(
    bundleOf({
      server: {
        type: 'node',
        entry_point: 'server/index.js',
        mcp_config: {
          command: 'node',
          args: [`\${__dirname}/server/index.js`, `--in=\${user_config.place}`, `\${user_config.dirs}`],
          env: { KEY: `\${user_config.key}`, PLACE: `\${__dirname}\${/}data`, NONE: `\${user_config.absent}` },
        },
      },
      more: {
        user_config: {
          key: { type: 'string', sensitive: true, required: true },
          place: { type: 'string', default: 'Bern' },
          dirs: { type: 'directory', multiple: true },
          absent: { type: 'string' },
        },
      },
    }),
  );
  const { entry, inputs } = prepared;
  assert.deepEqual(
    inputs.map(({ name, required, sensitive }) => [name, required, sensitive]),
    [
      ['key', true, true],
      ['place', false, false],
      ['dirs', false, false],
      ['absent', false, false],
    ],
  );
  const filled = fillEntry(entry, inputs, { key: 'secret-1', dirs: ['/a', '/b'] });
  assert.equal('NONE' in filled.env, false);
  assert.ok(!filled.argv.join().includes('secret-1'));
  const said = await runPrepared({ ...prepared, entry: filled });
  assert.equal(said, `--in=Bern,/a,/b secret-1 ${prepared.dir}/data\n`);
  assert.throws(() => fillEntry(entry, inputs, {}), { code: 'packages.input_required' });
  assert.equal((await lstat(join(prepared.dir, 'server/index.js'))).mode & 0o777, 0o444);
});

test('reads every type of user_config with its bounds, and leaves out defaults of another type', async () => {
  const user_config = {
    text: { type: 'string', title: 'Text', description: 'Any', default: 'x' },
    count: { type: 'number', min: 1, max: 5, default: 2 },
    wrong: { type: 'number', min: 'low', default: 'two' },
    loud: { type: 'boolean', default: true },
    dirs: { type: 'directory', multiple: true, default: [`\${HOME}`, `\${DOCUMENTS}\${/}notes`] },
    file: { type: 'file', required: true },
  };
  const { inputs, entry } = await prepareZip(bundleOf({ more: { user_config } }));
  assert.deepEqual(
    settingsOf(inputs).map(({ name, type, default: preset, min, max }) => [name, type, preset, min, max]),
    [
      ['text', 'string', 'x', null, null],
      ['count', 'number', '2', 1, 5],
      ['wrong', 'number', '', null, null],
      ['loud', 'boolean', 'true', null, null],
      ['dirs', 'directory', `\${HOME}\n\${DOCUMENTS}/notes`, null, null],
      ['file', 'file', '', null, null],
    ],
  );
  assert.equal(settingsOf(inputs)[0]?.description, 'Text: Any');
  const asked = Object.assign({}, entry, { argv: ['x', `\${user_config.dirs}`] });
  assert.deepEqual(fillEntry(asked, inputs, { file: '/tmp/f' }).argv, ['x', '/tmp', '/tmp/notes']);
  await rejects(prepareZip(bundleOf({ more: { user_config: { 'a b': { type: 'string' } } } })), 'manifest_invalid');
  await rejects(prepareZip(bundleOf({ more: { user_config: { a: { type: 'date' } } } })), 'manifest_invalid', /type/);
});

test('does not expand placeholders in a user’s value, and refuses a secret as an argument', () => {
  const inputs = [
    { name: 'a', type: 'string', required: false, sensitive: false, multiple: false, default: null },
    { name: 'key', type: 'string', required: false, sensitive: true, multiple: false, default: null },
  ] as const;
  const entry = { argv: ['x', `\${user_config.a}`], env: {}, cwd: '/tmp' };
  assert.deepEqual(fillEntry(entry, inputs, { a: `\${user_config.key}`, key: 's' }).argv, ['x', `\${user_config.key}`]);
  const visible = { argv: ['x', `--key=\${user_config.key}`], env: {}, cwd: '/tmp' };
  assert.throws(() => fillEntry(visible, inputs, { key: 's' }), {
    code: 'packages.unsupported',
    reason: 'input_forbidden',
  });
});

test('refuses an MCPB bundle with a wrong hash, no hash, a 404 response, or a file: URL', async () => {
  await rejects(prepareZip(bundleOf(), 'a'.repeat(64)), 'hash_mismatch', /expected a{64}/);
  await rejects(prepareZip(bundleOf(), null), 'hash_required', /fileSha256/);
  await rejects(packages.store.prepare(ref('mcpb', `${server.origin}/none.mcpb`, '', 'a'.repeat(64))), 'not_found');
  await rejects(packages.store.prepare(ref('mcpb', 'file:///etc/passwd', '', 'a'.repeat(64))), 'input');
  assert.deepEqual(await readdir(join(packages.dir, 'staging')), []);
});

const HOSTILE: Record<string, readonly ZipEntry[]> = {
  'a path with ..': [{ path: '../escaped.js', bytes: 'x' }],
  'a path with .. inside': [{ path: 'server/../../escaped.js', bytes: 'x' }],
  'an absolute path': [{ path: '/tmp/escaped.js', bytes: 'x' }],
  'a Windows path': [{ path: 'C:\\escaped.js', bytes: 'x' }],
  'a symbolic link': [{ path: 'passwd', bytes: '/etc/passwd', mode: 0o120777 }],
  'a device': [{ path: 'null', bytes: '', mode: 0o020666 }],
  'a duplicate name': [INDEX, INDEX],
  'a path that is both a file and a folder': [{ path: 'server', bytes: 'x' }, INDEX],
  'a declared size that is too small': [{ path: 'a', bytes: 'x'.repeat(10_000), declared: 10 }],
  'a declared size that is too large': [{ path: 'a', bytes: 'x', declared: 10_000 }],
};

for (const [name, files] of Object.entries(HOSTILE))
  test(`refuses a zip with ${name} and leaves no files`, async () => {
    await rejects(prepareZip(bundleOf({ files })), 'unsafe_files');
    assert.deepEqual(await readdir(join(packages.dir, 'staging')), []);
    assert.deepEqual(await readdir(join(packages.dir, 'trees')).catch(() => []), []);
  });

test('refuses a bundle that is too large or has too many files, and a file that is not a zip', async () => {
  await rejects(prepareZip(bundleOf({ files: [{ path: 'a', bytes: Buffer.alloc(80 << 20) }] })), 'too_large');
  const many = Array.from({ length: 2_100 }, (_, i) => ({ path: `f${i}` }));
  await rejects(prepareZip(bundleOf({ files: many })), 'too_many_files');
  await rejects(prepareZip(Buffer.from('no zip at all')), 'unsafe_files');
});

test('drops setuid and setgid bits when it unpacks a bundle', async () => {
  const prepared = await prepareZip(bundleOf({ files: [INDEX, { path: 'tool', bytes: 'x', mode: 0o106755 }] }));
  assert.equal((await lstat(join(prepared.dir, 'tool'))).mode & 0o7777, 0o555);
});

const UNFIT: [string, Bundle, string, RegExp][] = [
  ['no server', { server: null }, 'manifest_invalid', /server is missing/],
  ['an unknown type', { server: { type: 'ruby' } }, 'manifest_invalid', /node, python or binary/],
  ['the type uv', { server: { type: 'uv', entry_point: 'a.py' } }, 'wants_runtime', /uv/],
  [
    'the command npx',
    { server: { type: 'node', mcp_config: { command: 'npx', args: ['-y', 'x'] } } },
    'wants_runtime',
    /npx/,
  ],
  ['macOS as its only platform', { more: { compatibility: { platforms: ['darwin'] } } }, 'wants_runtime', /darwin/],
  ['a newer Node version', { more: { compatibility: { runtimes: { node: '>=99' } } } }, 'wants_node', />=99/],
  [
    'an entry point outside',
    { server: { type: 'node', entry_point: '../x.js' } },
    'manifest_invalid',
    /inside the bundle/,
  ],
  ['a missing entry point', { server: { type: 'node', entry_point: 'none.js' } }, 'manifest_invalid', /none\.js/],
  [
    'args that are not a list',
    { server: { type: 'node', mcp_config: { command: 'node', args: 'x' } } },
    'manifest_invalid',
    /list/,
  ],
];

for (const [name, bundle, code, message] of UNFIT)
  test(`refuses a manifest with ${name} (${code})`, () => rejects(prepareZip(bundleOf(bundle)), code, message));

test('starts a binary bundle with the command that it declares for Linux', async () => {
  const prepared = await prepareZip(
    bundleOf({
      server: {
        type: 'binary',
        entry_point: 'bin/server.exe',
        mcp_config: {
          command: `\${__dirname}/bin/server.exe`,
          platform_overrides: { linux: { command: `\${__dirname}/bin/server`, args: ['stdio'] } },
        },
      },
      files: [{ path: 'bin/server', bytes: '#!/bin/sh\necho "binary $1"\n', mode: 0o100755 }],
    }),
  );
  assert.equal(await runPrepared(prepared), 'binary stdio\n');
});

test('refuses an unsupported ecosystem (NuGet) by name', async () => {
  await rejects(packages.store.prepare(ref('nuget' as 'npm', 'Weather', '1.0.0')), 'ecosystem', /nuget/);
});
