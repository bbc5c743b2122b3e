import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input, Reply } from '#core/http/operation.ts';
import { standOffer } from '#test/mcp-stand.ts';
import { listTools } from './list-tools.ts';

test('200: lists every tool with its requirements', async () => {
  const reply = (await listTools(standOffer)({} as Input as never)) as Reply;
  const { items, total_count } = JSON.parse(reply.body as string);
  assert.equal(total_count, standOffer.tools.length);
  const auth = Object.fromEntries(
    items.map((item: { name: string; auth: string; scope: string }) => [item.name, [item.auth, item.scope]]),
  );
  assert.deepEqual(
    [auth.echo, auth.note, auth.manage],
    [
      ['none', null],
      ['jwt', 'write'],
      ['jwt', 'admin'],
    ],
  );
  assert.deepEqual(items[0].input_schema.required, ['text']);
  assert.equal(reply.cache_control, 'public, max-age=60');
});
