import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/stats', (open) => {
  test('200: a published listing counts at once, and a withdrawn one does not', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const read = async () => (await stand.ask(null, 'listings.getStats', {})).body;
    const empty = await read();
    assert.deepEqual([empty.capabilities, empty.listings, empty.publishers, empty.runs_24h], [0, 0, 0, 0]);
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/letters' });
    const { capabilities, publishers, by_listing_type, by_provider, by_level, verified } = await read();
    assert.deepEqual([capabilities, publishers, verified], [2, 1, 0]);
    assert.deepEqual([by_listing_type.skill, by_provider.capstan, by_level.checked], [2, 2, 2]);
    await stand.ask(ana, 'publishing.unpublish', { params: { id }, body: { reason: 'It loses words.' } });
    assert.equal((await read()).capabilities, 1);
  });
});
