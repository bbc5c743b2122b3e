import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/listings', (open) => {
  test('200: filters, search, order and pages as in the registry, without providers’ listings', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    for (const [at, name] of ['charlie', 'alpha', 'bravo'].entries()) {
      stand.clock.ms += 10;
      await stand.published(ana, { name: `ana-lang/${name}`, tags: at === 0 ? ['Ünit'] : [] });
    }
    const names = async (query: object) => {
      const { body } = await stand.ask(null, 'listings.list', { query });
      return body.items.map((item: { name: string }) => item.name.slice('ana-lang/'.length)).join(' ');
    };
    assert.equal(await names({}), 'alpha bravo charlie');
    assert.equal(await names({ sort: 'updated' }), 'bravo alpha charlie');
    assert.equal(await names({ search: 'WORDS brav' }), 'bravo');
    const inText = await names({ search: 'count words' });
    assert.deepEqual(inText.split(' ').sort(), ['alpha', 'bravo', 'charlie'], 'as a search of the marketplace');
    assert.equal(await names({ search: 'counting words', sort: 'updated', tag: 'unit' }), 'charlie');
    assert.equal(await names({ search: 'words', source: 'capstan', provider: 'smithery' }), '');
    assert.equal(await names({ search: ' ' }), 'alpha bravo charlie', 'nothing is searched');
    assert.equal(await names({ search: '…' }), '');
    assert.equal(await names({ tag: 'unit' }), 'charlie');
    assert.equal(await names({ listing_type: 'rig' }), '');
    assert.equal(await names({ execution_class: 'scripted', source: 'capstan' }), 'alpha bravo charlie');
    assert.equal((await names({ provider: 'smithery' })) + (await names({ source: 'docker' })), '');
    const found = await stand.ask(null, 'listings.list', { query: { search: 'Words', limit: 1, offset: 1 } });
    assert.match(found.headers.link ?? '', /search=Words&sort=relevance&limit=1&offset=2>; rel="next"/);
    const page = await stand.ask(null, 'listings.list', { query: { limit: 1, offset: 1, sort: 'name' } });
    assert.deepEqual([page.body.total_count, page.body.items[0].name], [3, 'ana-lang/bravo']);
    assert.match(page.headers.link ?? '', /offset=2>; rel="next".*offset=0>; rel="prev"/);
  });

  test('a listing published by another process appears within a second', async () => {
    const database = await open();
    const [one, other] = [publishingStand(database), publishingStand(database)];
    assert.equal((await one.ask(null, 'listings.list', {})).body.total_count, 0);
    await other.published(await other.newPerson(), { name: 'ana-lang/words' });
    one.clock.ms += 1_001;
    assert.equal((await one.ask(null, 'listings.list', {})).body.total_count, 1);
  });
});
