import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { CHECKS_VERSION } from '#marketplace/publishing/checks-version.ts';
import { PROGRAM, read } from './tree.ts';

/** What is published keeps its findings until CHECKS_VERSION rises, so a change of the checks raises it. */

const CHECKS = [
  /^src\/catalog\/checks\/[^/]+\.ts$/,
  /^src\/runtime\/skills\/checks\/[^/]+\.ts$/,
  /^src\/marketplace\/publishing\/check-(?:rig-)?files\.ts$/,
  /^src\/runtime\/harnesses\/(?:check-harness|(?:manifest|reference)-rules)\.ts$/,
  /^src\/runtime\/rigs\/rig-rules\.ts$/,
];

test('a change to the static checks increments CHECKS_VERSION', () => {
  const files = PROGRAM.filter((path) => CHECKS.some((form) => form.test(path))).sort();
  assert.ok(files.length >= 15);
  const hash = createHash('sha256');
  for (const path of files) hash.update(`${path}\n${read(path)}\n`);
  const digest = hash.digest('hex');
  const versions = read('test/house/checks-versions.txt').trim().split('\n');
  assert.equal(
    versions.at(-1),
    digest,
    `The checks have changed. Add a line ${digest} to test/house/checks-versions.txt and raise CHECKS_VERSION in ` +
      'src/marketplace/publishing/checks-version.ts. Replace the last line instead where no finding can differ.',
  );
  assert.equal(CHECKS_VERSION, versions.length, 'CHECKS_VERSION is the number of the last line.');
});
