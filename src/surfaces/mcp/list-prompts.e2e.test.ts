import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input, Reply } from '#core/http/operation.ts';
import { standOffer } from '#test/mcp-stand.ts';
import { listPrompts } from './list-prompts.ts';

test('200: lists the prompts with their arguments', async () => {
  const { body } = (await listPrompts(standOffer)({} as Input as never)) as Reply;
  const { items, total_count } = JSON.parse(body as string);
  const whom = { name: 'whom', description: 'Whom to greet.', required: true };
  assert.deepEqual([total_count, items[0].name, items[0].arguments], [1, 'greet', [whom]]);
});
