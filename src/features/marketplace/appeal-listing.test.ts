import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '../../../test/databases.ts';
import { startSkillHosts } from '../../../test/fakes/skill-hosts.ts';
import { AT_GITHUB, moderationStand, PROOF_PATH } from '../../../test/moderation-stand.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());

oneDatabase('POST /api/marketplace/listings/{id}/appeals', (open) => {
  test('201 for whoever has claimed it, once a measure; 403 for others; lifting grants it', async () => {
    const stand = await moderationStand(await open(), hosts);
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    const { moderation } = (await stand.decide(id, { decision: 'takedown', kind: 'malware' })).body;
    const measure_id = moderation.measures[0].id;
    const appeal = (as: typeof ana, of = measure_id) =>
      stand.ask(as, 'appealListing', { params: { id }, body: { measure_id: of, text: 'It reads one file.' } });
    assert.equal((await appeal(bob)).body.code, 'marketplace.not_owner');
    await stand.owned(ana, id, PROOF_PATH, 'ana-lang');
    assert.equal((await appeal(ana, 'none')).body.code, 'marketplace.measure_not_found');
    const made = await appeal(ana);
    assert.deepEqual([made.status, made.body.status], [201, 'open']);
    assert.equal((await appeal(ana)).body.code, 'marketplace.appeal_made');
    const shown = await stand.moderation(id);
    assert.equal(shown.measures[0].appeal.status, 'open');
    assert.ok(!JSON.stringify(shown).includes('It reads one file'), 'its words are for operators');
    const lifted = await stand.decide(id, { decision: 'lift', measure_id });
    assert.deepEqual(lifted.body.changed, ['appeal_granted', 'reinstated']);
  });
});
