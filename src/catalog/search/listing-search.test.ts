import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { exampleItem } from '#test/example-items.ts';
import { viewsOver } from '#test/listing-search.ts';
import { capabilityBuilder } from './index/capability-builder.ts';
import { openListingSearch } from './listing-search.ts';
import { marketplaceViewOf } from './query/marketplace-view.ts';

const builder = capabilityBuilder();
function addBuiltIn(name: string, description: string, contents: string[]): void {
  const document = documentFrom(0, { name, description, author: 'capstan', providers: ['capstan'] });
  document.wire.id = `skill/${name}`;
  builder.add({ ...document, searched: { ...document.searched, contents } });
}
addBuiltIn('json-diff', 'Compare two JSON documents.', ['Search for issues of GitHub that name the documents.']);
addBuiltIn('text-redact', 'Take personal data out of a text.', ['Search GitHub, issues and JSON documents.']);
for (let at = 1; at < 30; at++)
  builder.add(
    documentFrom(at, { name: `thing ${at}`, description: 'Search issues of github, compare json documents.' }),
  );
const base = builder.finish().segment;
const market = marketplaceViewOf({ base, deleted: null, delta: null, version: 'v', is_whole: true }, null);
const { list } = viewsOver([{ item: exampleItem(1) }]);

test('a built-in skill is found by what it does, not by its instructions alone', async () => {
  const search = openListingSearch({
    catalog: { isReady: true, view: () => list },
    index: { view: () => market, aid: () => null },
  });
  const names = async (text: string, limit = 6) => (await search.builtIn(text, limit)).map(({ name }) => name);
  assert.deepEqual(await names('compare json documents'), ['json-diff']);
  assert.deepEqual(await names('redact personal text'), ['text-redact']);
  assert.deepEqual(await names('search github issues'), []);
  assert.deepEqual(await names('json'), ['json-diff']);
});

test('nothing waits where an index is still being built', async () => {
  const building = openListingSearch({
    catalog: { isReady: false, view: () => assert.fail('it was read') },
    index: { view: () => Promise.reject(new Error('late')), aid: () => null },
  });
  const request = {
    sources: ['glama'] as const,
    with_built_in: false,
    listing_type: null,
    execution_class: null,
    tag: null,
  };
  assert.equal(building.listingsNow({ ...request, text: 'json', limit: 3, offset: 0 }), null);
  assert.equal(building.version, '');
});
