import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { problemsOf } from '#core/http/openapi/problems.ts';
import { OPERATIONS } from './contract.ts';
import { PROBLEMS } from './problems.ts';

const ROOT = new URL('..', import.meta.url).pathname;

/** Codes are literals after their kind: `new Problem('not_found', 'skills.not_found', …`. */
const raised = globSync('**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) =>
    [...readFileSync(ROOT + path, 'utf8').matchAll(/\bProblem\(\s*'([a-z_]+)',\s*'([a-z_]+\.[a-z0-9_]+)'/g)].map(
      ([, kind, code]) => ({ path, kind, code: code as string }),
    ),
  );

test('the code throws each problem with its declared kind', () => {
  assert.ok(raised.length > 20);
  assert.deepEqual(
    raised.filter(({ kind, code }) => PROBLEMS[code] !== kind),
    [],
  );
});

test('every code in the contract is declared', () => {
  const named = OPERATIONS.flatMap(problemsOf);
  assert.deepEqual(
    [...new Set(named)].filter((code) => PROBLEMS[code] === undefined),
    [],
  );
});

test('the table is sorted', () => {
  assert.deepEqual(Object.keys(PROBLEMS), Object.keys(PROBLEMS).toSorted());
});
