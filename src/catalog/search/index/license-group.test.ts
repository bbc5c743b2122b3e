import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LicenseGroup, licenseGroup } from './license-group.ts';

test('licenses are grouped as people filter them, however a provider writes them', () => {
  const groups: Record<LicenseGroup, string[]> = {
    mit: ['MIT', 'mit', 'MIT License', '(MIT OR Apache-2.0)'],
    'apache-2.0': ['Apache-2.0', 'Apache 2.0', 'Apache License 2.0', 'The Apache Software License'],
    open_source: [
      'GPL-3.0-only',
      'GNU General Public License v3.0',
      'BSD-3-Clause',
      'ISC',
      'CC-BY-4.0',
      'MPL-2.0',
      'MIT-0',
    ],
    other: ['Proprietary', 'BUSL-1.1', 'CC-BY-NC-4.0', 'SEE LICENSE IN LICENSE.txt', 'mitigated', 'ISCream'],
    none: ['', ' ', 'NOASSERTION', 'unknown'],
  };
  for (const [group, texts] of Object.entries(groups))
    for (const text of texts) assert.equal(licenseGroup(text), group, text);
});
