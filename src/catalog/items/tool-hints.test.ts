import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintsIn, hintWords } from './tool-hints.ts';

test('hints are booleans of their own names; anything else is left out', () => {
  const annotations = JSON.parse(
    '{"readOnlyHint":true,"destructiveHint":"no","title":"x","__proto__":{"openWorldHint":true},"more":{"a":[]}}',
  );
  assert.deepEqual(hintsIn(annotations), { readOnlyHint: true });
  for (const nothing of [undefined, null, 7, 'x', [], {}, { title: 'x' }]) assert.equal(hintsIn(nothing), undefined);
});

test('a tool that only reads is not said to delete, and silence about effects is not shown', () => {
  assert.deepEqual(hintWords({ readOnlyHint: true, destructiveHint: true, idempotentHint: true }), ['read-only']);
  assert.deepEqual(hintWords({ readOnlyHint: false, destructiveHint: false, idempotentHint: true }), [
    'only adds',
    'safe to retry',
  ]);
  assert.deepEqual(hintWords({ destructiveHint: true, openWorldHint: false }), [
    'may delete',
    'reaches no other service',
  ]);
  assert.deepEqual(hintWords({ readOnlyHint: false }), ['changes data']);
  assert.deepEqual(hintWords({}), []);
});
