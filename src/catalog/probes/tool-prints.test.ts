import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '@modelcontextprotocol/client';
import { changesBetween, MOST_PRINTS, toolPrints } from './tool-prints.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});
const changes = async (before: Tool[], after: Tool[]) =>
  changesBetween((await toolPrints(before)) ?? [], (await toolPrints(after)) ?? []);

test('added, removed, renamed and changed tools are told apart, whatever their order', async () => {
  const before = [tool('read'), tool('write'), tool('old_name', { description: 'Finds a boat.' }), tool('gone')];
  const after = [
    tool('new_name', { description: 'Finds a boat.', title: 'Find' }),
    tool('write', { annotations: { readOnlyHint: false }, inputSchema: { type: 'object', required: ['a'] } }),
    tool('read'),
    tool('fresh'),
  ];
  assert.deepEqual(await changes(before, after), {
    added: ['fresh'],
    removed: ['gone'],
    renamed: [{ from: 'old_name', to: 'new_name' }],
    changed: [{ name: 'write', parts: ['input_schema', 'annotations'] }],
    omitted: 0,
  });
  assert.equal(await changes(before, before.toReversed()), null);
});

test('tools that several others are like, or without a description, are no renames', async () => {
  const same = { description: 'Finds a boat.' };
  const two = await changes([tool('a', same)], [tool('b', same), tool('c', same)]);
  assert.deepEqual([two?.renamed, two?.removed, two?.added], [[], ['a'], ['b', 'c']]);
  const bare = await changes([tool('a', { description: '' })], [tool('b', { description: '' })]);
  assert.deepEqual([bare?.renamed, bare?.removed, bare?.added], [[], ['a'], ['b']]);
});

test('a long list of changes is cut, with removed tools first', async () => {
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => tool(`${prefix}${n}`));
  const found = await changes(many('old', 90), many('new', 90));
  assert.deepEqual([found?.removed.length, found?.added.length, found?.omitted], [90, 10, 80]);
  assert.equal(await toolPrints(many('x', MOST_PRINTS + 1)), null);
});
