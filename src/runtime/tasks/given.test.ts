import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenText, givenWith, readAnswer } from './given.ts';

/** Answers to what a task asks, as people and programs write them. */

const QUESTION = {
  packages: [{ ecosystem: 'npm' as const, name: 'zod', wanted: '', from: 'import' }],
  environment: [],
};

test('yes, true and an object accept; no, false and an object decline', () => {
  for (const yes of [true, 'yes', 'Y', { install: true }])
    assert.deepEqual([readAnswer(yes, QUESTION).declined, readAnswer(yes, QUESTION).given.install], [false, true]);
  for (const no of [false, 'no', { install: false }]) assert.equal(readAnswer(no, QUESTION).declined, true);
  assert.deepEqual(readAnswer({ environment: { REGION: 'eu' } }, QUESTION).given.environment, { REGION: 'eu' });
});

test('anything else is refused, and the place is named', () => {
  const refused = (input: unknown, pointer: string) =>
    assert.throws(
      () => readAnswer(input, QUESTION),
      (error: { code?: string; errors?: { pointer: string }[] }) =>
        error.code === 'runs.input_invalid' && error.errors?.[0]?.pointer === pointer,
    );
  refused('maybe', '/input');
  refused(null, '/input');
  refused([], '/input');
  refused({ install: 1 }, '/input/install');
  refused({ environment: { A: 1 } }, '/input/environment');
  refused({ environment: { A: 'a\0' } }, '/input/environment');
  refused({ other: 1 }, '/input/other');
});

test('a value never replaces the permission, and secrets are not kept with a task', () => {
  const accepted = givenText({ install: true });
  assert.deepEqual(JSON.parse(givenWith(accepted, { environment: { REGION: 'eu' } }) ?? ''), {
    environment: { REGION: 'eu' },
    install: true,
  });
  assert.equal(givenText({}), null);
  for (const name of ['TIDES_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'PATH', 'LD_PRELOAD', 'a b'])
    assert.throws(() => givenText({ environment: { [name]: 'x' } }), { code: 'runs.input_invalid' }, name);
});

test('many answers together give a task at most as many values as one answer', () => {
  const valuesOf = (from: number) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`VALUE_${from + at}`, 'x'.repeat(8_192)]));
  const first = givenWith(null, { environment: valuesOf(0) });
  assert.throws(() => givenWith(first, { environment: { VALUE_50: 'x' } }), { code: 'runs.input_invalid' });
  assert.equal(givenWith(first, { environment: valuesOf(0) }), first);
});
