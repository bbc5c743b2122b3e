import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldTimeOf } from '#test/cpu-time.ts';
import { cheapCheck } from './cheap-check.ts';
import { checkAgainst } from './check.ts';

const properties = {
  text: { type: 'string', maxLength: 5 },
  mode: { enum: ['a', 'b'] },
  list: { items: { type: 'integer' } },
};
/** Definitions of which each refers to the next one twice. */
function doubled(count: number) {
  const names = Array.from({ length: count }, (_, at) => [
    `d${at}`,
    at === count - 1 ? {} : { items: { $ref: `#/$defs/d${at + 1}` }, not: { $ref: `#/$defs/d${at + 1}` } },
  ]);
  return { $ref: '#/$defs/d0', $defs: Object.fromEntries(names) };
}

/** Texts that are almost of the format, for as long as they go on. */
const FORMATS = [
  ['date-time', '[a-a=a]'],
  ['date-time', '2T'],
  ['time', '00:00:00.1'],
  ['duration', 'P1'],
  ['email', 'a.'],
  ['email', '"a'],
  ['uri', 'a:/%20'],
  ['uri', 'a://a@'],
  ['url', 'a:%'],
  ['ipv6', '::a'],
] as const;

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
    { format: 'regex' },
    { $ref: 'https://example.com/schema' },
    { $ref: '#/$defs/none' },
    { $ref: '#/$defs/toString' },
    { $ref: '#/properties/a', properties: { a: {} } },
    { $ref: '#/$defs/a', $defs: { a: { properties: { next: { $ref: '#/$defs/a' } } } } },
    { $ref: '#/$defs/a', $defs: { a: { pattern: '^(a+)+$' } } },
    { $ref: '#/$defs/a', $defs: { a: { $id: 'other', properties: { b: { $ref: '#/$defs/a' } } } } },
    doubled(12),
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

test('formats and references to definitions are checked at once, as a thread checks them', () => {
  const $defs = {
    place: { type: 'object', required: ['at'], properties: { at: { $ref: '#/$defs/point' }, url: { format: 'uri' } } },
    point: { type: 'array', items: { type: 'number' }, minItems: 2 },
    any: true,
  };
  const each = {
    type: 'object',
    properties: {
      to: { $ref: '#/$defs/place' },
      from: { $ref: '#/$defs/place', description: 'Where it begins.', maxProperties: 1 },
      either: { allOf: [{ minProperties: 1 }], $ref: '#/$defs/place' },
      when: { type: 'string', format: 'date-time' },
      count: { type: 'integer', format: 'int32' },
      other: { $ref: '#/$defs/any' },
    },
    $defs,
  };
  const inputs = [
    { to: { at: [1, 2], url: 'https://example.com' }, when: '2026-01-01T00:00:00Z', count: 1, other: [] },
    { to: { at: [1] }, from: {}, either: {} },
    { from: { at: [1, 2], url: 'x' }, either: { at: ['a', 'b'] } },
    { when: 'noon', to: 'x', count: 'one' },
  ];
  const inOrder = (checked: ReturnType<typeof cheapCheck>) =>
    checked !== null && 'errors' in checked ? checked.errors.map((error) => JSON.stringify(error)).sort() : checked;
  for (const input of inputs)
    assert.deepEqual(inOrder(cheapCheck(each, input)), inOrder(checkAgainst(each, input)), JSON.stringify(input));
});

test('the largest check that is made at once takes little time', async () => {
  const lists = Array.from({ length: 150 }, (_, at) => ({ items: { items: { enum: [`e${at}`] } } }));
  const texts = Array.from({ length: 250 }, () => ({ type: 'string', maxLength: 9 }));
  const worst: [object, unknown][] = [
    [{ anyOf: lists }, [Array.from({ length: 12 }, () => 'z')]],
    [{ anyOf: texts }, '\u{1f469}\u200d'.repeat(6_000)],
    ...FORMATS.flatMap(([format, text]): [object, unknown][] => [
      [{ format, not: {} }, text.repeat(20_000 / text.length)],
      [{ anyOf: Array.from({ length: 300 }, () => ({ format, not: {} })) }, text.repeat(60 / text.length)],
    ]),
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
