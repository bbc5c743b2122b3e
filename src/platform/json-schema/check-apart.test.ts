import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkApart } from './check-apart.ts';
import { schemaFault } from './fault.ts';

type Schema = Record<string, unknown>;

test('the serving thread goes on while a hostile schema is looked at', async () => {
  const before = process.threadCpuUsage();
  assert.ok('unusable' in (await checkApart({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)));
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 300_000, `${user + system} µs of a second`);
});

test('a thread that behaved is used again, one that was ended is not', async () => {
  const text = { type: 'string' };
  await checkApart(text, 'warm');
  let begun = 0;
  const note = () => void begun++;
  process.on('worker', note);
  for (let n = 0; n < 20; n++)
    assert.deepEqual(await checkApart(text, n), { errors: [{ pointer: '', detail: 'must be string' }] });
  assert.equal(begun, 0, 'threads were started anew');
  assert.ok('unusable' in (await checkApart({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)));
  assert.deepEqual(await checkApart(text, 'fine'), { errors: [] });
  process.off('worker', note);
  assert.ok(begun > 0);
});

test('what comes over the places in line is told so', async () => {
  const answers = await Promise.all(Array.from({ length: 150 }, () => checkApart({ type: 'string' }, 'x')));
  assert.ok(answers.some((it) => 'busy' in it));
  assert.ok(answers.filter((it) => 'errors' in it).length >= 100);
});

test('any JSON at all as a schema has an answer', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
      const fault = schemaFault(schema as Schema);
      assert.ok(fault === null || typeof fault === 'string');
    }),
  );
});
