import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { jsonFault } from '#core/text/keepable.ts';
import { readInput } from './read-input.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

test('valid JSON is stored canonically, and reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), (value) => {
      if (jsonFault(value) !== null) return;
      assert.equal(canonicalize(JSON.parse(readInput(value))), canonicalize(value));
    }),
  );
});

test('422: input with lone surrogates, infinite numbers, deep nesting or too many bytes', () => {
  const unfit = [
    '\ud800',
    { '\udc00': 1 },
    [Number.POSITIVE_INFINITY],
    nested(201),
    nested(200_000),
    'x'.repeat(524_287),
  ];
  for (const value of unfit) assert.throws(() => readInput(value), { code: 'runs.input_invalid', reason: 'input' });
  assert.equal(readInput(nested(200)).length, 400);
  assert.equal(readInput('x'.repeat(524_286)).length, 524_288);
});
