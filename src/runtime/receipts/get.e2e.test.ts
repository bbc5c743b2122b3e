import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundleAt, issueReceipts } from '#test/receipt-stand.ts';
import { openWorld } from '#test/world.ts';
import { verifyBundle } from './bundle.ts';

test('200: an immutable bundle that verifies offline', async () => {
  await using world = await openWorld();
  const [id] = (await issueReceipts(world, 1)) as [string];
  const answer = await world.fetch(`/api/receipts/${id}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
  const bundle = await answer.json();
  assert.ok(verifyBundle(bundle).consistent);
  await issueReceipts(world, 3);
  await world.fetch('/api/receipts/checkpoint');
  assert.deepEqual(await bundleAt(world, id), bundle);
});

test('404: an unknown id', async () => {
  await using world = await openWorld();
  for (const id of ['019a8c1e-7f00-7000-8000-3b1f6f4f9a10', 'x', '%00', "'--"]) {
    const answer = await world.fetch(`/api/receipts/${id}`);
    assert.equal(answer.status, 404, id);
    assert.equal(((await answer.json()) as { code: string }).code, 'receipts.not_found');
  }
});
