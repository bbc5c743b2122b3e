import assert from 'node:assert/strict';
import { OPERATIONS } from '../../src/app/contract.ts';
import { compileSchema } from '../../src/core/http/validate.ts';

/** Holds what the program prints to the contract's schema of the operation's answer. */
export function answersOf(id: string, status = 200): (value: unknown) => void {
  const operation = OPERATIONS.find((operation) => operation.id === id);
  assert.ok(operation, `there is no operation ${id}`);
  const schema = operation.answers[status]?.content?.['application/json']?.schema;
  assert.ok(schema, `${id} has no JSON for ${status}`);
  const check = compileSchema(schema);
  return (value) => assert.deepEqual(check(value), [], id);
}
