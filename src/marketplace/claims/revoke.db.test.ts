import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { AT_GITHUB, moderationStand, PROOF_PATH } from '#test/moderation-stand.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());

oneDatabase('DELETE /api/marketplace/listings/{id}/claims/{claim_id}', (open) => {
  test('200: an operator revokes a claim; 404: another user; 409: a claim that has ended', async () => {
    const stand = await moderationStand(await open(), hosts);
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    const claim_id = await stand.owned(ana, id, PROOF_PATH, 'ana-lang');
    const revoke = (as: typeof ana) => stand.ask(as, 'claims.revoke', { params: { id, claim_id } });
    assert.equal((await revoke(bob)).body.code, 'marketplace.not_found');
    assert.deepEqual((await revoke(stand.operator)).body, { id: claim_id, status: 'revoked' });
    assert.equal((await revoke(ana)).body.code, 'marketplace.claim_conflict');
    assert.deepEqual((await stand.ask(null, 'claims.list', { params: { id } })).body.items, []);
    assert.equal((await stand.moderation(id)).history.at(-1).change, 'claim_revoked');
  });
});
