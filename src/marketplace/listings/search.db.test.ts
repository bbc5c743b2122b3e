import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';

oneDatabase('POST /api/marketplace/search', (open) => {
  test('200: finds a new listing by typos, synonyms, sources and facets, with an explanation', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const search = async (body: object, query: object = {}) =>
      (await stand.ask(null, 'listings.search', { body, query })).body;
    assert.deepEqual([(await search({ query: 'words' })).total_count], [0]);
    await stand.published(ana, { name: 'ana-lang/word-counter', tags: ['Text'] });
    await stand.published(ana, { name: 'ana-lang/kubernetes-logs', tags: ['DevOps'] });
    const typed = await search({ query: 'kubrnetes' });
    assert.deepEqual(typed.corrected, [{ from: 'kubrnetes', to: 'kubernetes' }]);
    assert.deepEqual([typed.items[0].name, typed.total_count], ['ana-lang/kubernetes-logs', 1]);
    assert.deepEqual(typed.items[0].highlights[0], { field: 'name', ranges: [[9, 19]] });
    const other = await search({ query: 'k8s submarine' }, { explain: '1' });
    assert.deepEqual([other.items[0].name, other.unmatched], ['ana-lang/kubernetes-logs', ['submarine']]);
    const { words, name, quality, id, order } = other.items[0].explain;
    assert.deepEqual([words[0].term, words[0].found, words[0].kind], ['k8s', 'kubernetes', 'synonym']);
    const sum = words.reduce((all: number, word: { points: number }) => all + word.points, 0);
    const learned = order.features.reduce(
      (all: number, feature: { points: number }) => all + feature.points,
      order.lift,
    );
    assert.ok(Math.abs((sum + name) * quality.factor + id + learned - other.items[0].score) < 1e-3);
    const byName = await search({ query: 'k8s', sort: 'name' }, { explain: '1' });
    assert.equal(byName.items[0].explain.order, null);
    const narrowed = await search({ query: 'ana-lang', filters: { tag: 'TEXT' } });
    assert.deepEqual([narrowed.total_count, narrowed.items[0].name], [1, 'ana-lang/word-counter']);
    assert.deepEqual(narrowed.facets.tag, [
      { value: 'devops', count: 1 },
      { value: 'text', count: 1 },
    ]);
    assert.deepEqual(narrowed.facets.listing_type, [{ value: 'skill', count: 1 }]);
    const [both] = (await search({ query: 'ana-lang' })).items;
    assert.equal(both.copies, 1, 'their descriptions are the same');
    const second = await search({ query: 'ana-lang', copies_of: both.id, sort: 'name', limit: 1, offset: 1 });
    assert.deepEqual([second.items[0].name, second.total_count], ['ana-lang/word-counter', 2]);
    const inside = await search({ query: 'split at white space', filters: { tag: 'devops' } }, { explain: '1' });
    assert.deepEqual([inside.items[0].explain.words[0].fields, inside.items[0].tool], [['contents'], null]);
    assert.equal((await search({ query: '!?' })).total_count, 0);
    const all = await search({});
    assert.equal(all.total_count, 1, 'one result for both');
    assert.deepEqual(all.facets.availability, [{ value: 'untried', count: 2 }]);
    assert.deepEqual(all.facets.confirmed, [{ value: true, count: 2 }]);
    assert.deepEqual(all.facets.updated.at(-1), { value: '365d', count: 2 });
    const running = await search({ filters: { availability: ['runs'], updated: '30d' } });
    assert.deepEqual([running.items, running.facets.availability], [[], [{ value: 'untried', count: 2 }]]);
    const wrong = await stand
      .ask(null, 'listings.search', { body: { filters: { availability: ['now'] } } })
      .catch(String);
    assert.match(JSON.stringify(wrong), /availability/);
  });
});
