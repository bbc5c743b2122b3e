import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { jsonFault, keptOutput, readInput } from './kept-json.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

test('JSON without a fault is signed, and reads back as the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), (value) => {
      if (jsonFault(value) !== null) return;
      assert.equal(canonicalize(JSON.parse(readInput(value))), canonicalize(value));
    }),
  );
});

test('422 tasks.input_unfit: what could not be signed, or is too much', () => {
  const unfit = [
    '\ud800',
    { '\udc00': 1 },
    [Number.POSITIVE_INFINITY],
    nested(201),
    nested(200_000),
    'x'.repeat(524_287),
  ];
  for (const value of unfit) assert.throws(() => readInput(value), { code: 'tasks.input_unfit' });
  assert.equal(readInput(nested(200)).length, 400);
  assert.equal(readInput('x'.repeat(524_286)).length, 524_288);
});

test('output that is no such JSON is kept as its text', () => {
  assert.deepEqual(keptOutput({ output: { a: 1 }, stdout: '{"a":1}' }), { a: 1 });
  assert.equal(keptOutput({ output: Number.POSITIVE_INFINITY, stdout: '1e999' }), '1e999');
  assert.equal(keptOutput({ output: nested(5_000), stdout: '[…]' }), '[…]');
  assert.equal(keptOutput({ output: ['\ud800'], stdout: '' }), '["\\ud800"]');
  assert.equal(keptOutput({ output: '', stdout: '' }), null);
});
