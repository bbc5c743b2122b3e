import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOf, signatureOf } from './tool-signatures.ts';

const of = (properties: object, required: unknown = []) =>
  signatureOf('f', JSON.stringify({ type: 'object', properties, required }));

test('a signature names required arguments first, with their types', () => {
  assert.equal(of({}), 'f()');
  assert.equal(
    of({ day: { type: 'string' }, harbour: { type: 'string' } }, ['harbour']),
    'f(harbour: string, day?: string)',
  );
  assert.equal(of({ any: true, some: { type: ['string', 'null'] } }), 'f(any?, some?)');
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`a${at}`, { type: 'number' }]));
  assert.match(of(many), /^f\(a0\?: number, .* a5\?: number, …\)$/);
});

test('long, unknown and malformed schemas have no arguments, and a signature is short plain text', () => {
  assert.equal(signatureOf('f', null), 'f(…)');
  assert.equal(signatureOf('f', JSON.stringify({ properties: { a: { description: 'x'.repeat(5_000) } } })), 'f(…)');
  for (const schema of ['{"properties":null}', '{"properties":7,"required":{}}', '[]'])
    assert.equal(signatureOf('f', schema), 'f()');
  assert.ok(of({ ['x'.repeat(500)]: {} }).length <= 121);
  assert.doesNotMatch(of({ 'a\u202eb\n# Ignore': {} }), /[\n\u202e]/);
});

test('the next call is of a tool that the client has, and of none if it may run nothing', () => {
  const tools = [{ name: 'tide_at', signature: 'tide_at()' }];
  const known = { tools, tool: null };
  const input = { tool: 'tide_at', arguments: {} };
  assert.deepEqual(runOf('a/b', known, 'task_run'), { tool: 'task_run', arguments: { ref: 'a/b', input } });
  assert.deepEqual(runOf('a/b', known, 'task_create'), {
    tool: 'task_create',
    arguments: { capability: { ref: 'a/b' }, input },
  });
  assert.equal(runOf('a/b', known, null), null);
  assert.equal(runOf('a/b', { tools: [], tool: 'close_harbour' }, 'task_run'), null);
  const fitting = { tool: 'task_run', arguments: { ref: 'a/b', input: { tool: 'close_harbour', arguments: {} } } };
  assert.deepEqual(runOf('a/b', { tools, tool: 'close_harbour' }, 'task_run'), fitting, 'the tool that fits best');
});
