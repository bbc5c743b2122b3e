import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { AT_GITHUB, moderationStand, PROOF_PATH } from '#test/moderation-stand.ts';
import { publishingStand } from '#test/publishing-stand.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());

oneDatabase('GET /api/marketplace/publishers/{id}', (open) => {
  test('200: the publisher with its listings, but not its account; 404: a name that nobody has', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const listing = await stand.published(ana, { name: 'ana-lang/words' });
    const { publisher } = (await stand.ask(null, 'listings.get', { params: { id: listing } })).body;
    const { status, body } = await stand.ask(null, 'publishers.get', { params: { id: publisher.id } });
    assert.deepEqual([status, body.name, body.closed_at], [200, 'ana-lang', null]);
    assert.deepEqual([body.listings[0].id, body.listings[0].latest], [listing, '1.0.0']);
    assert.ok(!JSON.stringify(body).includes(ana.id), 'no account');
    const named = await stand.ask(null, 'publishers.get', { params: { id: 'ana-lang' } });
    assert.deepEqual([named.status, named.body.id], [200, publisher.id]);
    assert.equal((await stand.ask(null, 'publishers.get', { params: { id: 'ana-lan' } })).status, 404);
  });

  test('200: includes the capabilities that the publisher has claimed', async () => {
    const stand = await moderationStand(await open(), hosts);
    const ana = await stand.newPerson();
    const own = await stand.published(ana, { name: 'ana-lang/words' });
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    await stand.owned(ana, id, PROOF_PATH, 'ana-lang');
    const { publisher } = (await stand.ask(null, 'listings.get', { params: { id: own } })).body;
    const { body } = await stand.ask(null, 'publishers.get', { params: { id: publisher.id } });
    const [claim] = body.claims;
    assert.deepEqual(
      [claim.id, claim.method, claim.sources],
      [id, 'repository_file', [{ provider: 'glama', external_id: 'a/words' }]],
    );
    assert.deepEqual(body.totals, { listings: 1, versions: 1, claims: 1 });
    assert.equal(body.first_seen_at, body.created_at);
  });
});
