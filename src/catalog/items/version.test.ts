import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareVersions, isVersion, latestOf } from './version.ts';

const ORDER =
  '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.10 1.2.0 2.0.0';

test('versions sort by SemVer precedence', () => {
  const order = ORDER.split(' ');
  assert.ok(order.every(isVersion));
  fc.assert(
    fc.property(fc.shuffledSubarray(order), (some) => {
      assert.deepEqual(
        some.toSorted(compareVersions),
        order.filter((word) => some.includes(word)),
      );
    }),
    { numRuns: 50 },
  );
  for (const bad of ['', '1.2', '1.2.3.4', '1.2.3+x', '1.2.3-01', '1.2.3-a..b', '1.2.3\n', '1234567890.0.0'])
    assert.ok(!isVersion(bad), bad);
});

test('the latest version is a live release, or else a deprecated one, but never a yanked one', () => {
  const of = (...list: [string, string][]) => latestOf(list.map(([version, status]) => ({ version, status })))?.version;
  assert.equal(of(['1.0.0', 'live'], ['3.0.0', 'deprecated'], ['4.0.0', 'yanked'], ['5.0.0-a', 'live']), '1.0.0');
  assert.equal(of(['1.0.0', 'deprecated'], ['0.9.0', 'deprecated'], ['4.0.0', 'unpublished']), '1.0.0');
  assert.equal(of(['1.0.0', 'yanked'], ['5.0.0-a', 'live']), undefined);
});
