import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input, Reply } from '#core/http/operation.ts';
import { standOffer } from '#test/mcp-stand.ts';
import { listResources } from './list-resources.ts';

test('200: lists the URI templates', async () => {
  const { body } = (await listResources(standOffer)({} as Input as never)) as Reply;
  const { items, total_count } = JSON.parse(body as string);
  assert.deepEqual([total_count, items[0].uri_template, items[0].auth], [1, 'note://{id}', 'none']);
});
