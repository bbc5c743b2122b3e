import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '#core/http/openapi/problems.ts';
import { OPERATIONS } from './contract.ts';
import { ERRORS } from './problems.ts';

test('every error code named in the contract is defined', () => {
  const named = new Set(OPERATIONS.flatMap(problemsOf));
  assert.ok(named.size > 50);
  assert.deepEqual(
    [...named].filter((code) => !Object.hasOwn(ERRORS, code)),
    [],
  );
});

test('an example has one of its code’s reasons, or none if the code has none', () => {
  const wrong = Object.entries(ERRORS).filter(([, { example, reasons }]) =>
    reasons === undefined ? example.reason !== undefined : !Object.hasOwn(reasons, example.reason ?? ''),
  );
  assert.deepEqual(
    wrong.map(([code]) => code),
    [],
  );
});
