import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldTimeOf } from '#test/cpu-time.ts';
import { cheapCheck } from './cheap-check.ts';

const properties = {
  text: { type: 'string', maxLength: 5 },
  mode: { enum: ['a', 'b'] },
  list: { items: { type: 'integer' } },
};
const schema = { type: 'object', properties, required: ['text'], additionalProperties: false };

test('a plain schema is checked at once, with the same errors as elsewhere', () => {
  assert.deepEqual(cheapCheck(schema, { text: 'a', mode: 'b', list: [1] }), { errors: [] });
  assert.deepEqual(cheapCheck(schema, { mode: 'c' }), {
    errors: [
      { pointer: '/text', detail: 'is missing' },
      { pointer: '/mode', detail: 'must be one of ["a","b"]' },
    ],
  });
});

test('what may be slow, recursive or large is left to a thread', () => {
  const slow = [
    { pattern: '^(a+)+$' },
    { patternProperties: { '^(a+)+$': {} } },
    { properties: { a: { items: { $ref: '#' } } } },
    { anyOf: [{ items: { uniqueItems: true } }] },
    { format: 'email' },
    { properties: { enum: { pattern: '^(a+)+$' } } },
    { properties: { a: { type: 'string' } }, unevaluatedProperties: false },
    { enum: Array.from({ length: 2_000 }, (_, at) => at) },
  ];
  for (const each of slow) assert.equal(cheapCheck(each, 'a'), null, JSON.stringify(each));
  assert.equal(cheapCheck(schema, { text: 'a'.repeat(30_000) }), null);
  assert.equal(cheapCheck(schema, { list: Array.from({ length: 5_000 }, () => 1) }), null);
  // Names of members are not keywords.
  assert.deepEqual(cheapCheck({ properties: { pattern: { type: 'string' }, $ref: true } }, { pattern: 'a' }), {
    errors: [],
  });
});

test('the largest check that is made at once takes little time', async () => {
  const lists = Array.from({ length: 150 }, (_, at) => ({ items: { items: { enum: [`e${at}`] } } }));
  const texts = Array.from({ length: 250 }, () => ({ type: 'string', maxLength: 9 }));
  const worst: [object, unknown][] = [
    [{ anyOf: lists }, [Array.from({ length: 12 }, () => 'z')]],
    [{ anyOf: texts }, '\u{1f469}\u200d'.repeat(6_000)],
  ];
  for (const [each, input] of worst) {
    assert.notEqual(cheapCheck(each as Record<string, unknown>, input), null);
    const heldMs = await heldTimeOf(async () => cheapCheck(each as Record<string, unknown>, input), {
      tries: 5,
      enough_ms: 20,
    });
    assert.ok(heldMs < 20, `${heldMs} ms`);
  }
});
