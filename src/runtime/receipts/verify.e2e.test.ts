import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundleAt, issueReceipts } from '#test/receipt-stand.ts';
import { openWorld } from '#test/world.ts';

interface Verdict {
  valid: boolean;
  consistent: boolean;
  issuer: string;
  failed: string | null;
  detail: string;
  statement: { subject: { name: string }[] } | null;
}

test('200: own receipts are valid, those of unknown issuers only consistent, modified ones refused', async () => {
  await using world = await openWorld();
  await using stranger = await openWorld();
  const verify = async (body: unknown): Promise<Verdict> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await world.fetch('/api/receipts/verify', { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Verdict;
  };
  const own = await bundleAt(world, (await issueReceipts(world, 1))[0] as string);
  const verdict = await verify(own);
  assert.deepEqual([verdict.valid, verdict.consistent, verdict.issuer], [true, true, 'this_service']);
  assert.deepEqual(await verify({ bundle: own }), verdict, 'the same in an object');
  assert.equal((await verify({ bundle: own, more: 1 })).failed, 'form');
  assert.equal(verdict.statement?.subject[0]?.name, 'skill/json-diff@1.0.0');

  const theirs = await verify(await bundleAt(stranger, (await issueReceipts(stranger, 1))[0] as string));
  assert.deepEqual([theirs.valid, theirs.consistent, theirs.issuer, theirs.failed], [false, true, 'unknown', 'issuer']);
  assert.match(theirs.detail, /Internally consistent, issuer unknown/);

  const changed = await verify({ ...own, log_entry: { ...own.log_entry, index: 1 } });
  assert.deepEqual([changed.valid, changed.failed, changed.statement], [false, 'inclusion', null]);
  for (const odd of [null, [], 7, 'text', {}]) assert.equal((await verify(odd)).failed, 'form');
});

test('200: a receipt is valid if the operator trusts its issuer’s key', async () => {
  await using stranger = await openWorld();
  const bundle = await bundleAt(stranger, (await issueReceipts(stranger, 1))[0] as string);
  const { keys } = (await (await stranger.fetch('/api/receipts/keys')).json()) as { keys: { kid: string }[] };
  await using world = await openWorld({ CAPSTAN_RECEIPT_TRUSTED_KEYS: keys.map(({ kid }) => kid).join(',') });
  const body = JSON.stringify({ bundle });
  const headers = { 'content-type': 'application/json' };
  const answer = await world.fetch('/api/receipts/verify', { method: 'POST', headers, body });
  const { valid, issuer } = (await answer.json()) as Verdict;
  assert.deepEqual([valid, issuer], [true, 'trusted']);
});
