import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type NpmRegistry, openNpmRegistry } from '#test/packages/npm-registry.ts';
import { openPypiIndex, type PypiIndex } from '#test/packages/pypi-index.ts';
import { npmCliHere, openTestPackages, type TestPackages } from '#test/packages/store.ts';
import type { PackageSet } from './package.ts';
import { findPython } from './python.ts';

/** Packages that scripts import, from loopback registries. */

let registry: NpmRegistry;
let index: PypiIndex;
let packages: TestPackages;
before(async () => {
  registry = await openNpmRegistry();
  index = await openPypiIndex();
  const file = (text: string) => [{ path: 'index.js', text: `module.exports = ${JSON.stringify(text)};` }];
  registry.publish(
    'colour',
    { version: '1.0.0', files: file('colour 1.0.0'), manifest: { dependencies: { tone: '^1.0.0' } } },
    { version: '1.1.0', files: file('colour 1.1.0'), manifest: { dependencies: { tone: '^1.0.0' } } },
    { version: '1.2.0', files: file('too new'), age_days: 1 },
  );
  registry.publish('tone', { version: '1.0.0', files: file('tone') });
  const module = (text: string) => [{ path: 'shade.py', bytes: `NAME = ${JSON.stringify(text)}\n` }];
  index.publish('shade', { version: '1.0', files: module('1.0') }, { version: '1.1', files: module('1.1') });
  index.publish('hue', { version: '2.0', files: [{ path: 'hue.py', bytes: '' }] });
});
after(async () => {
  await registry.close();
  await index.close();
});
beforeEach(() => {
  packages = openTestPackages({ npm_registry: registry.url, pypi_index: index.url });
});
afterEach(() => packages.close());

const noNpm = npmCliHere() === null && 'no npm CLI that is new enough is installed';
const noPython = await findPython(null).then(
  () => false,
  (error: Error) => error.message,
);
const set = (
  ecosystem: 'npm' | 'pypi',
  wanted: Record<string, string>,
  lock: Uint8Array | null = null,
): PackageSet => ({
  ecosystem,
  packages: Object.entries(wanted).map(([name, range]) => ({ name, wanted: range })),
  lock,
});
const versions = (locked: readonly { name: string; version: string }[]) =>
  locked.map(({ name, version }) => `${name}@${version}`).sort();

test('npm: installs the newest versions that are old enough into one tree, and reuses it', {
  skip: noNpm,
}, async () => {
  const prepared = await packages.store.prepareSet(set('npm', { colour: '', tone: '^1.0.0' }));
  assert.deepEqual(versions(prepared.locked), ['colour@1.1.0', 'tone@1.0.0']);
  assert.match(await readFile(join(prepared.dir, 'node_modules/colour/index.js'), 'utf8'), /colour 1\.1\.0/);
  const asked = registry.requests.length;
  const again = await packages.store.prepareSet(set('npm', { tone: '^1.0.0', colour: '' }));
  assert.equal(again.tree_sha256, prepared.tree_sha256);
  assert.equal(registry.requests.length, asked);
});

test('npm: installing from a lock file gives the same files', { skip: noNpm }, async () => {
  const first = await packages.store.prepareSet(set('npm', { colour: '~1.0.0' }));
  const lock = await readFile(first.lock_file);
  const again = await packages.store.prepareSet(set('npm', { colour: '~1.0.0' }, lock));
  assert.deepEqual([again.tree_sha256, again.lock_sha256], [first.tree_sha256, first.lock_sha256]);
});

test('PyPI: respects specifiers, and installing from a lock file gives the same files', {
  skip: noPython,
}, async () => {
  const first = await packages.store.prepareSet(set('pypi', { shade: '<1.1', hue: '' }));
  assert.deepEqual(versions(first.locked), ['hue@2.0', 'shade@1.0']);
  assert.match(await readFile(join(first.dir, 'site/shade.py'), 'utf8'), /1\.0/);
  const lock = await readFile(first.lock_file);
  assert.match(lock.toString(), /^shade==1\.0 --hash=sha256:[0-9a-f]{64}$/m);
  const again = await packages.store.prepareSet(set('pypi', { shade: '<1.1', hue: '' }, lock));
  assert.deepEqual([again.tree_sha256, again.lock_sha256], [first.tree_sha256, first.lock_sha256]);
});

test('reports a package that does not exist, and one whose matching releases are all too new', {
  skip: noNpm,
}, async () => {
  const refused = (wanted: Record<string, string>, code: string) =>
    assert.rejects(packages.store.prepareSet(set('npm', wanted)), (error: { code?: string }) => error.code === code);
  await refused({ absent: '' }, 'packages.not_found');
  await refused({ colour: '^1.2.0' }, 'packages.unsupported');
});
