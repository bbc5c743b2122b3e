import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { tarOf } from '#test/packages/archives.ts';
import { type NpmRegistry, openNpmRegistry } from '#test/packages/npm-registry.ts';
import { findNpmCli, type NpmCliOptions, PINNED_NPM } from './npm-cli.ts';

let registry: NpmRegistry;
let dir: string;
const operator = openOperatorFetch();
before(async () => {
  registry = await openNpmRegistry();
  dir = await mkdtemp(join(tmpdir(), 'capstan-npm-'));
});
after(async () => {
  await registry.close();
  await operator.close();
  await rm(dir, { recursive: true, force: true });
});

const { version } = PINNED_NPM;
const tarball = tarOf([
  { path: 'package/package.json', text: JSON.stringify({ name: 'npm', version }) },
  { path: 'package/bin/npm-cli.js', text: '// npm', mode: 0o755 },
  { path: 'package/../../escaped', text: 'x' },
]);
const pinned = { version, integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}` };

const find = (options: Partial<NpmCliOptions> = {}) =>
  findNpmCli({
    npm_cli: null,
    node: '/nowhere/bin/node',
    dir: join(dir, 'tools'),
    registry: registry.url,
    fetch: operator.fetch,
    pinned,
    signal: new AbortController().signal,
    ...options,
  });

async function npmAt(folder: string, itsVersion: string): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'npm', version: itsVersion }));
  await writeFile(join(folder, 'bin/npm-cli.js'), '');
  return folder;
}

test('uses the npm CLI that the operator set, and refuses one that is too old or missing', async () => {
  const good = await npmAt(join(dir, 'good'), '99.0.0');
  assert.deepEqual(await find({ npm_cli: good }), { dir: good, version: '99.0.0' });
  const code = { code: 'packages.unavailable', message: /CAPSTAN_NPM_CLI|npm 11/ };
  await assert.rejects(find({ npm_cli: await npmAt(join(dir, 'old'), '10.9.0') }), code);
  await assert.rejects(find({ npm_cli: '/nowhere' }), code);
});

test('uses the npm next to the service’s Node, or downloads the pinned one when that is too old', async () => {
  const beside = await npmAt(join(dir, 'prefix/lib/node_modules/npm'), '98.0.0');
  const node = join(dir, 'prefix/bin/node');
  assert.deepEqual(await find({ node }), { dir: beside, version: '98.0.0' });
  registry.serve(`npm/-/npm-${version}.tgz`, tarball);
  await npmAt(join(dir, 'prefix/lib/node_modules/npm'), '10.0.0');
  assert.equal((await find({ node })).version, version);
});

test('verifies the downloaded npm by its hash, and sends no request the second time', async () => {
  const tools = join(dir, 'other-tools');
  const missing = { code: 'packages.unavailable' };
  await assert.rejects(find({ dir: tools, pinned: { version: '0.0.1', integrity: pinned.integrity } }), missing);
  registry.serve(`npm/-/npm-${version}.tgz`, Buffer.from('something else'));
  await assert.rejects(find({ dir: tools }), Object.assign({ message: /expected hash/ }, missing));
  registry.serve(`npm/-/npm-${version}.tgz`, tarball);
  const [first, second] = await Promise.all([find({ dir: tools }), find({ dir: tools })]);
  assert.deepEqual(first, second);
  assert.equal(await readFile(join(first.dir, 'bin/npm-cli.js'), 'utf8'), '// npm');
  registry.requests.length = 0;
  await find({ dir: tools });
  assert.deepEqual(registry.requests, []);
  await assert.rejects(readFile(join(dir, 'escaped')));
});
