import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, type InputField, inputOf, mustFill, presets, writtenOf } from './input-fields.ts';

const SCHEMA = {
  type: 'object',
  required: ['text', 'many', 'any'],
  properties: {
    text: { type: 'string', title: 'Text' },
    day: { type: 'string', format: 'date' },
    many: { type: 'integer' },
    part: { type: 'number', default: 0.5 },
    deep: { type: 'boolean' },
    how: { enum: ['a', 1, null] },
    list: { type: 'array', items: { type: 'string' }, examples: [['x']] },
    any: {},
    __proto__x: { type: 'string', maxLength: 5 },
  },
};
const FIELDS = fieldsOf(SCHEMA) as InputField[];

test('each type of value gets an input control', () => {
  assert.deepEqual(
    FIELDS.map(({ name, way }) => `${name}: ${way}`),
    [
      'text: text',
      'day: line',
      'many: whole',
      'part: number',
      'deep: boolean',
      'how: choice',
      'list: json',
      'any: json',
      '__proto__x: line',
    ],
  );
  assert.deepEqual([FIELDS[0]?.label, FIELDS[1]?.label, FIELDS[6]?.type], ['Text', 'day', 'array of string']);
  for (const none of [null, {}, { type: 'object' }, { type: 'array' }]) assert.equal(fieldsOf(none), null);
});

test('the fields of an input convert back to the same input', () => {
  const input = { text: 'a\nb', day: '2026-01-01', many: 3, deep: false, how: null, list: ['x'], any: 'text' };
  assert.deepEqual(inputOf(FIELDS, writtenOf(FIELDS, input)), { input, faults: [] });
  assert.deepEqual(presets(FIELDS), { part: 0.5, list: ['x'] });
});

test('an empty optional field is left out, an empty required one is an error unless it is a string that may be empty', () => {
  const properties = { ...SCHEMA.properties, text: { type: 'string', minLength: 0 } };
  const open = fieldsOf({ ...SCHEMA, properties }) as InputField[];
  assert.deepEqual(inputOf(open, {}).input, { text: '' });
  assert.deepEqual(inputOf(FIELDS, { text: ' ' }).input, { text: ' ' });
  assert.deepEqual([mustFill(open[0] as InputField), mustFill(FIELDS[0] as InputField)], [false, true]);
  assert.deepEqual(inputOf(FIELDS, {}), {
    input: {},
    faults: [
      { name: 'text', detail: 'Required.' },
      { name: 'many', detail: 'Required.' },
      { name: 'any', detail: 'Required.' },
    ],
  });
});

test('reports all invalid fields at once', () => {
  const { faults } = inputOf(FIELDS, { text: 'x', many: '1.5', part: 'x', how: '"c"', list: '[1', any: 'word' });
  assert.deepEqual(
    faults.map(({ name }) => name),
    ['many', 'part', 'how', 'list', 'any'],
  );
  assert.match(faults.at(-1)?.detail ?? '', /Invalid JSON: .*quotes/);
});

test('a property may have any name', () => {
  const fields = fieldsOf({ properties: JSON.parse('{"__proto__":{"type":"string"}}') }) as InputField[];
  const { input } = inputOf(fields, Object.fromEntries([['__proto__', 'x']]));
  assert.equal(JSON.stringify(input), '{"__proto__":"x"}');
});
