import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';
import { checkInput } from './check-input.ts';

type Schema = Record<string, unknown>;

async function problemOf(schema: Schema, input: unknown, kind: 'skill' | 'listing' = 'listing') {
  try {
    await checkInput({ kind, name: 'thing', input_schema: schema }, input, OWN_SHARE);
    return null;
  } catch (error) {
    return error as Problem;
  }
}

const person: Schema = {
  type: 'object',
  required: ['name', 'a/b'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, age: { $ref: '#/$defs/age' }, 'a/b': { enum: [1, 2] }, kind: { const: 'x' } },
  $defs: { age: { type: 'integer', minimum: 0 } },
};

test('422: an invalid input is reported with a pointer, for own and untrusted schemas', async () => {
  for (const kind of ['skill', 'listing'] as const) {
    const problem = await problemOf(person, { age: -1, 'a/b': 3, kind: 'y', more: 1 }, kind);
    assert.deepEqual([problem?.status, problem?.code, problem?.reason], [422, 'runs.input_invalid', 'input_unfit']);
    const errors = Object.fromEntries((problem?.errors ?? []).map(({ pointer, detail }) => [pointer, detail]));
    assert.deepEqual(Object.keys(errors).sort(), ['/age', '/a~1b', '/kind', '/more', '/name']);
    assert.equal(errors['/name'], 'is missing');
    assert.equal(errors['/a~1b'], 'must be one of [1,2]');
    assert.equal(errors['/kind'], 'must be "x"');
    assert.equal(await problemOf(person, { name: 'n', 'a/b': 1, age: 3 }, kind), null);
  }
});

test('422: input that is nested too deeply or contains lone surrogates, even without a schema', async () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  for (const input_schema of [null, {}])
    for (const input of [deep, { a: '\ud800' }])
      await assert.rejects(checkInput({ kind: 'listing', name: 'x', input_schema }, input, OWN_SHARE), {
        code: 'runs.input_invalid',
      });
});

test('accepts any input when there is no schema, and supports JSON Schema draft 07', async () => {
  await checkInput({ kind: 'listing', name: 'x', input_schema: null }, [1, 'anything'], OWN_SHARE);
  const old = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
    properties: { pair: { $ref: '#/definitions/pair' } },
  };
  assert.equal(await problemOf(old, { pair: ['a', 1] }), null);
  assert.deepEqual(
    (await problemOf(old, { pair: ['a', 'b'] }))?.errors?.map((error) => error.pointer),
    ['/pair/1'],
  );
});

function deep(levels: number): Schema {
  let schema: Schema = {};
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
}

test('422: schemas that are slow, recursive, too large, or refer to other hosts', async () => {
  const slow = `${'a'.repeat(40)}!`;
  const nested = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as unknown;
  const both = { anyOf: [{ $ref: '#' }, { $ref: '#' }] };
  for (const [what, schema, input] of [
    ['slow pattern of names', { patternProperties: { '^(?=a)(a|aa)+$': false } }, { [slow]: 1 }],
    ['endless', { $ref: '#' }, 1],
    [
      'exponential',
      { properties: { a: both }, required: ['a'], $defs: {}, allOf: [{ properties: { a: both } }] },
      nested,
    ],
    ['broken pattern', { pattern: '(' }, 'x'],
    ['elsewhere', { $ref: 'https://schemas.example/x.json' }, 1],
    ['no scheme', { properties: { a: { $ref: '//schemas.example/x' } } }, {}],
    ['deep', deep(200), {}],
    ['deeper than any stack', deep(100_000), {}],
    ['large', { description: 'x'.repeat(300_000) }, {}],
    ['many', { enum: Array.from({ length: 30_000 }, (_, n) => n) }, 1],
    ['other dialect', { $schema: 'https://example.com/my-dialect' }, 1],
  ] as [string, Schema, unknown][]) {
    const problem = await problemOf(schema, input);
    assert.deepEqual(
      [problem?.status, problem?.code, problem?.reason],
      [422, 'runs.unsupported', 'schema_unusable'],
      what,
    );
  }
});

test('property names such as __proto__ are validated like any others', async () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["constructor"]}') as Schema;
  assert.deepEqual((await problemOf(schema, JSON.parse('{"__proto__":1}')))?.code, 'runs.input_invalid');
});
