import assert from 'node:assert/strict';
import { test } from 'node:test';
import identifiers from 'spdx-license-ids/index.json' with { type: 'json' };
import { deprecatedLicenses, licenseFault, nearestLicense } from './license.ts';

test('every SPDX identifier is a valid license, in any case and with a plus', () => {
  for (const id of identifiers)
    assert.deepEqual(
      [licenseFault(id), licenseFault(id.toLowerCase()), licenseFault(`${id}+`)],
      [null, null, null],
      id,
    );
});

test('SPDX expressions are valid licenses', () => {
  for (const fine of [
    'MIT OR Apache-2.0',
    '(MIT and (BSD-3-Clause or ISC))',
    'GPL-2.0-only WITH Classpath-exception-2.0',
    'LicenseRef-Proprietary',
    'DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2 OR MIT',
  ])
    assert.equal(licenseFault(fine), null, fine);
});

const FAULTS: [text: string, fault: string][] = [
  ['NotALicense', 'names NotALicense, which is not an SPDX license identifier'],
  ['Apach-2.0', 'names Apach-2.0, which is not an SPDX license identifier; did you mean Apache-2.0?'],
  ['MIT OR Apach-2.0', 'names Apach-2.0, which is not an SPDX license identifier; did you mean Apache-2.0?'],
  ['Apache 2.0', 'names Apache, which is not an SPDX license identifier; did you mean Apache-2.0?'],
  ['The MIT License', 'names The, which is not an SPDX license identifier; did you mean MIT?'],
  ['UNLICENSED', 'names UNLICENSED, which is not an SPDX license identifier; did you mean LicenseRef-Proprietary?'],
  ['proprietary', 'names proprietary, which is not an SPDX license identifier; did you mean LicenseRef-Proprietary?'],
  ['NOASSERTION', 'names NOASSERTION, which is not an SPDX license identifier; did you mean LicenseRef-Proprietary?'],
  ['MIT WITH Apache-2.0', 'names Apache-2.0, which is not an SPDX exception identifier'],
  ['MIT OR', 'is an incomplete SPDX expression'],
  ['(MIT', 'is an incomplete SPDX expression'],
  ['(MIT) WITH Classpath-exception-2.0', 'is not an SPDX expression'],
  ['MIT)', 'is not an SPDX expression; did you mean MIT?'],
  ['MIT;rm', 'is not an SPDX expression'],
  [' ', 'is empty'],
  ['A'.repeat(201), 'is longer than 200 characters'],
];

test('an invalid license is reported with the nearest valid identifier', () => {
  for (const [text, fault] of FAULTS) assert.equal(licenseFault(text), fault, text);
  assert.equal(nearestLicense('x'), null);
});

test('deprecated SPDX identifiers are listed', () => {
  assert.deepEqual(deprecatedLicenses('MIT OR (GPL-3.0 AND lgpl-2.1+)'), ['GPL-3.0', 'LGPL-2.1']);
});
