import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from './defined.ts';

test('defined() leaves out undefined members, and keeps null, false, zero and the empty string', () => {
  const members = { a: undefined, b: null, c: false, d: 0, e: '' };
  assert.deepEqual(Object.entries(defined(members)), [
    ['b', null],
    ['c', false],
    ['d', 0],
    ['e', ''],
  ]);
});

test('spreading defined() does not overwrite earlier members with undefined', () => {
  assert.deepEqual({ title: 'old', ...defined({ title: undefined }) }, { title: 'old' });
});
