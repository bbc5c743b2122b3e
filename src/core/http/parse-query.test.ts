import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from '#core/json-schema/type.ts';
import { queryParser } from './parse-query.ts';

const SCHEMA = Type.Object({ limit: Type.Integer({ default: 50 }), all: Type.Optional(Type.Boolean()) });

test('names inherited by every object, such as __proto__, are rejected as unknown', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Limit']) {
    const { errors } = queryParser(SCHEMA)(`${name}=1`);
    assert.deepEqual(errors, [{ pointer: `/${name}`, detail: 'is unknown; allowed are limit, all' }]);
  }
});

test('numbers must be whole, booleans true or false, and each parameter sent once', () => {
  assert.deepEqual(queryParser(SCHEMA)('limit=7&all=true'), { values: { limit: 7, all: true }, errors: [] });
  assert.deepEqual(queryParser(SCHEMA)('').values, { limit: 50 });
  for (const raw of [
    'limit=',
    'limit=1.5',
    'limit=1e2',
    'limit=%2B1',
    'limit=9007199254740993',
    'limit=1&limit=1',
    'all=1',
  ])
    assert.equal(queryParser(SCHEMA)(raw).errors.length, 1, raw);
});

test('an open query ignores unknown parameters and validates its own', () => {
  const parse = queryParser(SCHEMA, true);
  assert.deepEqual(parse('limit=7&scope=openid&scope=email&__proto__=1'), { values: { limit: 7 }, errors: [] });
  assert.equal(parse('limit=7&limit=8').errors.length, 1);
  assert.equal(parse('limit=x').errors.length, 1);
});

test('query strings are parsed as URLSearchParams parses them', () => {
  const open = Type.Object(Object.fromEntries(['a', 'b', 'c'].map((name) => [name, Type.Optional(Type.String())])));
  const parse = queryParser(open);
  const part = fc.stringMatching(/^[abc]?=?[xyz+=%20ü ]{0,6}$/);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
      const raw = parts.join('&');
      const pairs = [...new URLSearchParams(raw)];
      const { values, errors } = parse(raw);
      const fine = pairs.every(
        ([name], at) => 'abc'.includes(name) && name !== '' && pairs.findIndex(([key]) => key === name) === at,
      );
      assert.equal(errors.length === 0, fine, raw);
      if (fine) assert.deepEqual(values, Object.fromEntries(pairs));
    }),
  );
});

test('more than 100 parameters are rejected by number, and fewer with one list of allowed names', () => {
  const parse = queryParser(SCHEMA);
  assert.throws(() => parse('a=1&'.repeat(3_500)), { code: 'http.invalid', reason: 'parameters' });
  assert.throws(() => parse('%61=1&'.repeat(100)), { code: 'http.invalid', reason: 'parameters' });
  const { errors } = parse('a=1&'.repeat(99));
  assert.equal(errors.length, 99);
  assert.equal(errors.filter(({ detail }) => detail.includes('allowed are')).length, 1);
});
