import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './tree.ts';
import { unusedExports, unusedFiles, unusedPackages } from './unused.ts';

test('every export is imported by another file', () => {
  assert.deepEqual(
    unusedExports().map(([path, names]) => `${path}: ${names.join(', ')}`),
    [],
    'take `export` away, or delete it where its own file does not use it either',
  );
});

test('every module is imported or started', () => {
  assert.deepEqual(unusedFiles(), []);
});

/** Development packages that no module imports, and what needs them. */
const NEEDED_BY: Record<string, string> = {
  '@biomejs/biome': 'test/run.ts runs its binary',
  '@modelcontextprotocol/conformance': 'test/conformance/run.ts runs its binary',
  '@types/markdown-it': 'the compiler',
  '@types/negotiator': 'the compiler',
  '@types/node': 'the compiler',
  '@types/pg': 'the compiler',
  '@types/yauzl': 'the compiler',
  '@mongodb-js/zstd': 'an override: an empty package in place of what just-bash names',
  'node-liblzma': 'an override: an empty package in place of what just-bash names',
};

test('every dependency in package.json is used', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const cli = JSON.parse(read('cli/package.json')).dependencies;
  assert.deepEqual(unusedPackages(Object.keys(dependencies), /^(?:src|web|sdk)\//), []);
  // With what `--local` loads.
  assert.deepEqual(unusedPackages(Object.keys(cli), /^(?:cli|sdk|src\/(?:core|runtime))\//), []);
  assert.deepEqual(
    unusedPackages(Object.keys(devDependencies), /^(?!test\/house\/)/).sort(),
    Object.keys(NEEDED_BY).sort(),
  );
});
