import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '../../../test/databases.ts';
import { publishingStand } from '../../../test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/publishers/{id}', (open) => {
  test('200 with what it publishes; 404 for a name', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const listing = await stand.published(ana, { name: 'ana-lang/words' });
    const { publisher } = (await stand.ask(null, 'getListing', { params: { id: listing } })).body;
    const { status, body } = await stand.ask(null, 'getPublisher', { params: { id: publisher.id } });
    assert.deepEqual([status, body.name, body.closed_at], [200, 'ana-lang', null]);
    assert.deepEqual([body.listings[0].id, body.listings[0].latest], [listing, '1.0.0']);
    assert.ok(!JSON.stringify(body).includes(ana.id), 'no account');
    assert.equal((await stand.ask(null, 'getPublisher', { params: { id: 'ana-lang' } })).status, 404);
  });
});
