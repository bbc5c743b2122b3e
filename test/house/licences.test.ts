import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './tree.ts';

/** What is installed with the service: by the lock file, so that a package of a package counts, optional ones too. */

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const production = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);

const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Of fonts alone: it asks that a changed font takes another name.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Of an SPDX expression in which each OR leaves a choice; with an AND all of its parts have to be permissive. */
const isPermissive = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => PERMISSIVE.has(licence.trim())));

test('every production dependency has a permissive license', () => {
  assert.ok(production.length > 100);
  const others = production.filter(([, { license = 'none' }]) => !isPermissive(license));
  assert.deepEqual(
    others.map(([path, { license }]) => `${path}: ${license}`),
    [],
  );
});

test('no production dependency has an install script', () => {
  const scripted = production.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  assert.deepEqual(
    scripted.map(([path]) => path),
    [],
  );
});

test('an SPDX expression is permissive if every part of an AND and any part of an OR is', () => {
  for (const good of ['MIT', '(MIT OR GPL-3.0)', '(AFL-2.1 OR BSD-3-Clause)', 'MIT AND ISC'])
    assert.ok(isPermissive(good));
  for (const bad of ['LGPL-3.0', 'MIT AND LGPL-3.0', 'none', 'SEE LICENSE IN LICENSE']) assert.ok(!isPermissive(bad));
});
