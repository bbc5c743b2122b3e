import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '#core/http/openapi/problems.ts';
import { OPERATIONS } from './contract.ts';
import { ERRORS } from './problems.ts';

test('every code that the contract names is in a table', () => {
  const named = new Set(OPERATIONS.flatMap(problemsOf));
  assert.ok(named.size > 50);
  assert.deepEqual(
    [...named].filter((code) => !Object.hasOwn(ERRORS, code)),
    [],
  );
});

test('an example has a reason of its code, and only if the code has reasons', () => {
  const wrong = Object.entries(ERRORS).filter(([, { example, reasons }]) =>
    reasons === undefined ? example.reason !== undefined : !Object.hasOwn(reasons, example.reason ?? ''),
  );
  assert.deepEqual(
    wrong.map(([code]) => code),
    [],
  );
});
