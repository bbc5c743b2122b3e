import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueReceipts } from '#test/receipt-stand.ts';
import { openWorld } from '#test/world.ts';
import { openCheckpoint } from './checkpoint.ts';
import { isConsistent } from './merkle.ts';
import { keyOfJwk, type ReceiptJwk } from './receipt-key.ts';

interface Answer {
  origin: string;
  size: number;
  checkpoint: string | null;
  consistency: { since: number; proof: string[] } | null;
}

test('200: an empty log first, then signed checkpoints that are consistent with each earlier one', async () => {
  await using world = await openWorld();
  assert.deepEqual(await world.get('/api/receipts/checkpoint'), {
    origin: '127.0.0.1:0/receipts',
    size: 0,
    checkpoint: null,
    consistency: null,
  });
  const { keys } = await world.get<{ keys: ReceiptJwk[] }>('/api/receipts/keys');
  const key = keyOfJwk(keys[0] as ReceiptJwk);
  assert.ok(key);
  const trees = [];
  for (const more of [1, 2, 4, 1]) {
    await issueReceipts(world, more);
    const { checkpoint } = await world.get<Answer>('/api/receipts/checkpoint');
    const tree = openCheckpoint(checkpoint as string, key);
    assert.ok(tree);
    trees.push(tree);
  }
  assert.deepEqual(
    trees.map((tree) => tree.size),
    [1, 3, 7, 8],
  );
  const newest = trees.at(-1) as (typeof trees)[0];
  for (const older of trees) {
    const { consistency } = await world.get<Answer>(`/api/receipts/checkpoint?since=${older.size}`);
    const proof = consistency?.proof.map((text) => Buffer.from(text, 'base64')) ?? [];
    assert.ok(isConsistent(older, newest, proof), `since ${older.size}`);
  }
});

test('400: `since` is larger than the log', async () => {
  await using world = await openWorld();
  const answer = await world.fetch('/api/receipts/checkpoint?since=1');
  assert.equal(answer.status, 400);
  assert.equal(((await answer.json()) as { code: string }).code, 'http.invalid');
});
