import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from './defined.ts';

test('leaves out what is undefined, and keeps null, false, zero and empty text', () => {
  const members = { a: undefined, b: null, c: false, d: 0, e: '' };
  assert.deepEqual(Object.entries(defined(members)), [
    ['b', null],
    ['c', false],
    ['d', 0],
    ['e', ''],
  ]);
});

test('a member that is left out does not replace an earlier one', () => {
  assert.deepEqual({ title: 'old', ...defined({ title: undefined }) }, { title: 'old' });
});
