import assert from 'node:assert/strict';
import { Problem } from '#core/problem/problem.ts';

/** Why an archive was refused, or `taken`. */
export async function refusalOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
    return 'taken';
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.deepEqual([error.code, error.reason], ['runs.unsupported', 'bundle_refused']);
    return error.message;
  }
}
