import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contains, readChecks, unmet } from './skill-checks.ts';

const skillWith = (checks: string) => ({
  name: 'demo',
  contents: new Map([['assets/checks.json', Buffer.from(checks)]]),
});
const run = (stdout: string, exit_code = 0, stderr = '') => ({ stdout, exit_code, stderr });

test('readChecks() reads valid checks and rejects an invalid file', () => {
  const checks = [{ name: 'a', input: null, expect: { exit_code: 2 } }];
  assert.deepEqual(readChecks(skillWith(JSON.stringify(checks))), checks);
  assert.deepEqual(readChecks({ name: 'demo', contents: new Map() }), []);
  for (const broken of [
    '{',
    '{}',
    '[null]',
    '[{"name":"a","expect":{}}]',
    '[{"name":"a","input":1,"expect":{"exitcode":1}}]',
  ])
    assert.throws(() => readChecks(skillWith(broken)), { code: 'skills.invalid' }, broken);
});

test('contains() compares listed members, array elements in any order, and parts of strings', () => {
  const whole = { a: [{ b: 1, c: 'long text' }, 2], d: null };
  for (const part of [{}, { d: null }, { a: [2, { c: 'text' }] }, { a: [] }])
    assert.ok(contains(whole, part), JSON.stringify(part));
  for (const part of [{ e: 1 }, { a: [3] }, { a: {} }, { d: 0 }, [], 'x', { toString: 1 }])
    assert.ok(!contains(whole, part), JSON.stringify(part));
});

test('unmet() lists the expectations that a run does not meet', () => {
  const check = (expect: object) => ({ name: 'a', input: {}, expect });
  assert.deepEqual(unmet(check({ output: { a: 1 } }), run('{"a":1}\n')), []);
  assert.deepEqual(unmet(check({ exit_code: 2, error_contains: 'csv' }), run('', 2, 'csv is missing')), []);
  assert.match(unmet(check({}), run('', 1, 'boom')).join(), /exit code 1, expected 0: boom/);
  assert.match(unmet(check({ output: { a: 1 } }), run('{"a":1,"b":2}')).join(), /expected \{"a":1\}/);
  assert.match(unmet(check({ output_contains: { b: 1 } }), run('{"a":1}')).join(), /lacks/);
  assert.match(unmet(check({ output: 1 }), run('oops')).join(), /not JSON/);
  assert.match(unmet(check({ error_contains: 'x' }), run('', 0, 'y')).join(), /lacks "x"/);
});
