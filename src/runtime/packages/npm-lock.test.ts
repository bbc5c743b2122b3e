import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readNpmLock } from './npm-lock.ts';

const good = { version: '1.0.0', integrity: 'sha512-AAAA' };
const lockOf = (packages: Record<string, unknown>): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });
const read = (packages: Record<string, unknown>) => readNpmLock(lockOf(packages), 'a@1.0.0');

test('reads the path, name and install script flag of each package in a lock file', () => {
  const scripted = Object.assign({ hasInstallScript: true }, good);
  const alias = Object.assign({ name: 'real' }, good);
  const found = read({
    'node_modules/@a/b': good,
    'node_modules/@a/b/node_modules/c': scripted,
    'node_modules/d': alias,
  });
  assert.deepEqual(
    found.map(({ path, name, has_install_script }) => [path, name, has_install_script]),
    [
      ['node_modules/@a/b', '@a/b', false],
      ['node_modules/@a/b/node_modules/c', 'c', true],
      ['node_modules/d', 'real', false],
    ],
  );
});

test('a bundled package has the hash of the package in whose file it came, also two levels down', () => {
  const bundled = { version: '2.0.0', inBundle: true };
  const found = read({
    'node_modules/a': good,
    'node_modules/a/node_modules/b': bundled,
    'node_modules/a/node_modules/b/node_modules/c': bundled,
  });
  assert.deepEqual(
    found.map(({ name, version, integrity }) => [name, version, integrity]),
    [
      ['a', '1.0.0', good.integrity],
      ['b', '2.0.0', good.integrity],
      ['c', '2.0.0', good.integrity],
    ],
  );
});

const SOURCES: Record<string, Record<string, unknown>> = {
  'a Git repository': { 'node_modules/a': Object.assign({ resolved: 'git+ssh://git@example.com/a.git#abc' }, good) },
  'a URL': { 'node_modules/a': Object.assign({ resolved: 'https://example.com/a.tgz' }, good) },
  'a file': { 'node_modules/a': Object.assign({ resolved: 'file:../a.tgz' }, good) },
  'a link': { 'node_modules/a': { link: true, resolved: 'a' } },
  'a folder of the project': { 'packages/a': good },
  'a folder outside the project': { '../a': good },
  'a path through ..': { 'node_modules/../../a': good },
  'a bundled package at the top': { 'node_modules/a': { version: '1.0.0', inBundle: true } },
  'a bundled package of one without a hash': {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true },
  },
  'a bundled package that names a source': {
    'node_modules/a': good,
    'node_modules/a/node_modules/b': {
      version: '1.0.0',
      inBundle: true,
      resolved: 'git+ssh://git@example.com/b.git#abc',
    },
  },
  'no hash': { 'node_modules/a': { version: '1.0.0' } },
  'an unsupported hash': { 'node_modules/a': { version: '1.0.0', integrity: 'md5-AAAA' } },
};

for (const [name, packages] of Object.entries(SOURCES))
  test(`refuses a lock file with ${name}`, () => {
    assert.throws(() => read(packages), { code: 'packages.unsupported', reason: 'source_forbidden' });
  });

test('text that is not a lock file causes only packages.* errors', () => {
  const value = fc.oneof(
    fc.json(),
    fc.string(),
    fc.anything().map((any) => JSON.stringify({ packages: any }) ?? ''),
  );
  fc.assert(
    fc.property(value, (text) => {
      try {
        for (const { path } of readNpmLock(text, 'a')) assert.match(path, /^node_modules\//);
      } catch (error) {
        assert.match((error as { code?: string }).code ?? '', /^packages\./);
      }
    }),
  );
});
