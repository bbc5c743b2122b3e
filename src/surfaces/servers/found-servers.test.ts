import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleItem } from '#test/example-items.ts';
import { viewsOver } from '#test/listing-search.ts';
import { foundServers } from './found-servers.ts';

const CITIES = 'Oslo Rome Lima Bern Cork Nara Bonn Baku Riga Kyiv Graz Metz'.split(' ');
const servers = CITIES.map((city, at) =>
  exampleItem(at, { name: `${city} weather`, description: `Forecasts for ${city}.`, external_id: city }),
);
const skill = exampleItem(99, { name: 'weather', listing_type: 'skill', external_id: 'skill' });
const viewsWith = (items: typeof servers) => viewsOver([...items, skill].map((item) => ({ item })));

/** All ids, over pages of three. `viewsAt` gives the views of each page. */
function walk(search: string, viewsAt: (page: number) => ReturnType<typeof viewsOver>): string[] {
  const ids: string[] = [];
  let after: Parameters<typeof foundServers>[2] = null;
  for (let page = 0; page < 9; page++) {
    const found = foundServers(viewsAt(page), search, after, 3);
    if (found.length === 0) return ids;
    ids.push(...found.map(({ item }) => item.external_id));
    after = found.at(-1)?.position ?? null;
  }
  return ids;
}

const views = viewsWith(servers);
const ALL = CITIES.toReversed();

test('servers come by relevance, with slips corrected, and no other types', () => {
  assert.deepEqual(
    walk('weather', () => views),
    ALL,
  );
  assert.deepEqual(
    walk('wether', () => views),
    ALL,
  );
  const [first] = foundServers(views, 'forecasts for Lima', null, 3);
  assert.equal(first?.item.external_id, 'Lima');
});

test('a page continues after the last entry where results have come or gone', () => {
  const more = [
    exampleItem(500, { name: 'Weather', description: 'Of all cities.', external_id: 'first' }),
    exampleItem(400, { name: 'Weather', description: 'Weather of Lyon.', external_id: 'Lyon' }),
  ];
  const grown = viewsWith([...servers, ...more]);
  assert.deepEqual(
    walk('weather', (page) => (page === 0 ? views : grown)),
    ALL,
  );
  const shrunk = viewsWith(servers.filter(({ external_id }) => external_id !== 'Metz'));
  assert.deepEqual(
    walk('weather', (page) => (page === 0 ? views : shrunk)),
    ALL,
  );
  const last = ALL[2];
  const without = viewsWith(servers.filter(({ external_id }) => external_id !== last));
  assert.deepEqual(
    walk('weather', (page) => (page === 0 ? views : without)),
    ALL,
  );
});
