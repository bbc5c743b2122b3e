import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { parseQuery } from './parse-query.ts';

const SCHEMA = Type.Object({ limit: Type.Integer({ default: 50 }), all: Type.Optional(Type.Boolean()) });

test('names that every object has are as unknown as any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Limit']) {
    const { errors } = parseQuery(`${name}=1`, SCHEMA);
    assert.deepEqual(errors, [{ pointer: `/${name}`, detail: 'is unknown; allowed are limit, all' }]);
  }
});

test('whole numbers and truth values only; a name once', () => {
  assert.deepEqual(parseQuery('limit=7&all=true', SCHEMA), { values: { limit: 7, all: true }, errors: [] });
  assert.deepEqual(parseQuery('', SCHEMA).values, { limit: 50 });
  for (const raw of [
    'limit=',
    'limit=1.5',
    'limit=1e2',
    'limit=%2B1',
    'limit=9007199254740993',
    'limit=1&limit=1',
    'all=1',
  ])
    assert.equal(parseQuery(raw, SCHEMA).errors.length, 1, raw);
});
