import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { AT_GITHUB, moderationStand, PROOF_PATH } from '#test/moderation-stand.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());

oneDatabase('GET /api/marketplace/listings/{id}/claims', (open) => {
  test('200: the verified claim for everyone, pending claims only for their owners; 404: unknown listing', async () => {
    const stand = await moderationStand(await open(), hosts);
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    await stand.owned(ana, id, PROOF_PATH, 'ana-lang');
    await stand.claim(bob, id, { publisher: 'bob-lang' });
    const list = async (as: typeof ana | null) => (await stand.ask(as, 'claims.list', { params: { id } })).body.items;
    const names = (items: { publisher: { name: string }; status: string }[]) =>
      items.map((item) => `${item.publisher.name} ${item.status}`);
    assert.deepEqual(names(await list(null)), ['ana-lang verified']);
    assert.deepEqual(names(await list(bob)), ['ana-lang verified', 'bob-lang pending']);
    assert.ok(!JSON.stringify(await list(null)).includes('capstan-claim-'), 'no token');
    assert.equal((await stand.ask(null, 'claims.list', { params: { id: 'none' } })).status, 404);
  });
});
