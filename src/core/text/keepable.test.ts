import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { isNestedTooDeep, jsonFault, keepable, wellFormed } from './keepable.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

test('JSON that is nested too deeply or out of range is stored as text', () => {
  assert.deepEqual(
    [isNestedTooDeep(nested(200)), isNestedTooDeep(nested(201)), isNestedTooDeep(nested(500_000))],
    [false, true, true],
  );
  assert.equal(keepable(nested(500_000), 'text \ud800'), 'text \u{fffd}');
  assert.match(jsonFault({ a: nested(300) }) ?? '', /levels deep/);
  assert.equal(keepable(JSON.parse('[1e999]'), '[1e999]'), '[1e999]');
  assert.match(jsonFault(JSON.parse('[1e999]')) ?? '', /out of range/);
  assert.deepEqual([keepable('', ''), keepable(undefined, ''), keepable(null, 'x')], [null, null, null]);
});

test('any stored JSON value can be canonicalized for signing', () => {
  const half = fc.constantFrom('\ud800', 'a\udc00b', 'whole');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(half, fc.integer(), fc.constant(null), fc.array(tie('value')), fc.dictionary(half, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (args) => {
      assert.ok(typeof canonicalize(keepable(args, '')) === 'string');
      if (jsonFault(args) === null) assert.equal(JSON.stringify(wellFormed(args)), JSON.stringify(args));
    }),
  );
  assert.match(jsonFault({ '\ud800': 1 }) ?? '', /an unpaired surrogate/);
  assert.deepEqual(JSON.stringify(wellFormed(JSON.parse('{"__proto__":"\\ud800"}'))), '{"__proto__":"\u{fffd}"}');
});
