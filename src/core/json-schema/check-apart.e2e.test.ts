import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { userShare } from '#core/fair-queue/share.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { checkApart } from './check-apart.ts';
import { schemaFault } from './fault.ts';

type Schema = Record<string, unknown>;

const share = userShare('ada');

test('a pattern with exponential backtracking is checked in linear time', async () => {
  for (const schema of [
    { pattern: '^(a+)+$' },
    { type: 'object', patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: true },
  ]) {
    const text = `${'a'.repeat(5_000)}!`;
    const checked = await checkApart(schema, 'type' in schema ? { [text]: 1 } : text, share);
    assert.ok('errors' in checked, JSON.stringify(checked));
    assert.equal(checked.errors.length, 'type' in schema ? 0 : 1);
  }
});

test('a pattern that must backtrack ends at the deadline without blocking the calling thread', async () => {
  await checkApart({ type: 'string' }, 'warm', share);
  const heldMs = await heldTimeOf(async () => {
    const checked = await checkApart({ pattern: '^(?=a)(a+)+$' }, `${'a'.repeat(40)}!`, userShare('eve'));
    assert.deepEqual(checked, { unusable: 'takes too long to validate' });
  });
  assert.ok(heldMs < 50, `${heldMs} ms`);
});

test('a pattern is not applied to the next check', async () => {
  assert.deepEqual(await checkApart({ pattern: '^a+$' }, 'aaa', share), { errors: [] });
  assert.deepEqual(await checkApart({ pattern: '^b+$' }, 'aaa', share), {
    errors: [{ pointer: '', detail: 'must match pattern "^b+$"' }],
  });
});

test('a share with too many queued checks is refused', async () => {
  const answers = await Promise.all(Array.from({ length: 150 }, () => checkApart({ pattern: '^x$' }, 'x', share)));
  const refused = answers.filter((answer) => 'refused' in answer);
  assert.ok(refused.length > 0);
  assert.deepEqual(refused[0], { refused: 'busy', retry_after_s: 2 });
  assert.ok(answers.filter((answer) => 'errors' in answer).length >= 60);
});

test('any JSON value is accepted or rejected as a schema without an exception', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
      const fault = schemaFault(schema as Schema);
      assert.ok(fault === null || typeof fault === 'string');
    }),
  );
});
