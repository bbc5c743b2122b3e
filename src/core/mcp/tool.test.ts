import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { differencesOf, knownTool, plainName } from './tool.ts';

const tool = (more: object = {}) => knownTool({ name: 'a', inputSchema: { type: 'object' }, ...more });

test("a tool's hash covers everything that affects a call, whatever the order of members", () => {
  const { hash } = tool({ description: 'd', annotations: { readOnlyHint: true, title: 'x' } });
  assert.equal(tool({ annotations: { title: 'x', readOnlyHint: true }, description: 'd' }).hash, hash);
  for (const more of [
    { description: 'e' },
    { title: 't' },
    { annotations: { readOnlyHint: false } },
    { inputSchema: { type: 'object', required: ['x'] } },
    { outputSchema: { type: 'object' } },
  ])
    assert.notEqual(tool({ description: 'd', annotations: { readOnlyHint: true, title: 'x' }, ...more }).hash, hash);
  // Irrelevant for a call.
  assert.equal(tool({ icons: [], _meta: { n: 1 } }).hash, tool().hash);
});

test('differencesOf() lists the location, the old and the new value', () => {
  const before = tool({ inputSchema: { type: 'object', properties: { 'a/b': { type: 'string' }, gone: {} } } });
  const after = tool({ inputSchema: { type: 'object', properties: { 'a/b': { type: 'number' }, __proto__x: {} } } });
  assert.deepEqual(differencesOf(before.definition, after.definition), [
    { pointer: '/input_schema/properties/a~1b/type', before: 'string', after: 'number' },
    { pointer: '/input_schema/properties/gone', before: {} },
    { pointer: '/input_schema/properties/__proto__x', after: {} },
  ]);
  const long = differencesOf(before.definition, tool({ description: 'x'.repeat(100_000) }).definition);
  assert.ok(JSON.stringify(long).length < 10_000);
});

test('differencesOf() finds a difference if and only if the hashes differ', () => {
  const some = fc.record({ description: fc.string(), annotations: fc.dictionary(fc.string(), fc.jsonValue()) });
  fc.assert(
    fc.property(some, some, (one, other) => {
      const [a, b] = [tool(one), tool(other)];
      assert.equal(differencesOf(a.definition, b.definition).length > 0, a.hash !== b.hash);
    }),
  );
});

test('plainName() replaces control and hidden characters and truncates', () => {
  assert.equal(plainName('a\u001b[2J\u202eb\ud800'), 'a\ufffd[2J\ufffdb\ufffd');
  assert.equal(plainName('x'.repeat(1_000)).length, 128);
});
