import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '#app/contract.ts';
import { fileOf } from '#core/http/file-of.ts';
import { FILES } from './tree.ts';

const has = (path: string): boolean => FILES.includes(path);

for (const operation of OPERATIONS)
  test(`${operation.id} has a file, one test, a summary, a description and examples`, () => {
    const file = fileOf(operation.id);
    assert.ok(has(file), `${operation.id} has no file at ${file}`);
    const tests = ['.test.ts', '.db.test.ts', '.e2e.test.ts'].map((suffix) => file.replace(/\.ts$/, suffix));
    assert.equal(tests.filter(has).length, 1, `${file} needs one test beside it: ${tests.join(', ')}`);
    assert.ok(operation.summary.length > 0 && operation.summary.length <= 80, 'a summary of one line');
    assert.ok(operation.description.length > operation.summary.length, 'a description that says more');
    for (const [status, answer] of Object.entries(operation.answers))
      for (const [type, { example }] of Object.entries(answer.content))
        assert.notEqual(example, undefined, `${status} ${type} has an example`);
    for (const name of Object.keys(operation.params?.properties ?? {}))
      assert.notEqual(operation.examples?.[name], undefined, `{${name}} has an example`);
  });

test('every array with uniqueItems has a maxItems of at most 1,000', () => {
  const unbound = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { uniqueItems, maxItems } = value as { uniqueItems?: boolean; maxItems?: number };
    return (
      (uniqueItems === true && !((maxItems ?? Number.POSITIVE_INFINITY) <= 1_000)) || Object.values(value).some(unbound)
    );
  };
  assert.deepEqual(
    OPERATIONS.filter(({ body, query }) => unbound(body) || unbound(query)).map(({ id }) => id),
    [],
  );
});

test('operation ids and routes are unique', () => {
  const ids = OPERATIONS.map((operation) => operation.id);
  const routes = OPERATIONS.map((operation) => `${operation.method} ${operation.path}`);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(routes).size, routes.length);
});
