import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema } from '#core/http/validate.ts';
import { exampleItem } from '#test/example-items.ts';
import { input } from '#test/handler-input.ts';
import { interopStand, saveAll } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { webContract } from './contract-web.ts';
import { getFeed } from './get-feed.ts';

const HOSTILE = `]]><script>alert('1')</script>&\u202E\u0000\u{FFFF}"`;
const stand = await interopStand([listing('glama', 'old'), listing('docker', 'gone')], [listing('docker', 'gone')]);
await saveAll(
  stand.db,
  [listing('glama', 'new', { name: HOSTILE, author: HOSTILE, description: HOSTILE })],
  '2026-03-05T00:00:00.000Z',
);
const items = ['2999-01-01T00:00:00.000Z', '2026-02-03T00:00:00.000Z', null].map((external_updated_at, i) =>
  exampleItem(i, { external_updated_at }),
);
const get = getFeed({ ...stand, catalog: { ...stand.catalog, items: () => ({ total_count: 3, items }) } });
const feed = async (name: string) => String((await get(input({ params: { name } }))).body);

test('200: a JSON Feed with the newest listings first', async () => {
  const json = JSON.parse(await feed('new.json'));
  assert.deepEqual(compileSchema(webContract.getFeed.answers[200].content['application/feed+json'].schema)(json), []);
  assert.deepEqual(
    json.items.map((item: { id: string }) => item.id.split('/').at(-1)),
    ['new', 'old'],
  );
});

test('200: an Atom feed with escaped text', async () => {
  const atom = await feed('new.atom');
  for (const foreign of ['<script', '\0', '\uFFFF', '\u202E']) assert.equal(atom.includes(foreign), false);
  assert.ok(
    atom.includes('<title>]]&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;\u{FFFD}&quot; 1.0.0</title>'),
    atom,
  );
  assert.ok(atom.includes('<updated>2026-03-05T00:00:00.000Z</updated>'));
  assert.equal(atom.split('<entry>').length, 3);
});

test('200: changes are dated by their provider, and never in the future', async () => {
  const json = JSON.parse(await feed('changed.json'));
  assert.deepEqual(
    json.items.map((item: { date_modified: string }) => item.date_modified),
    ['2026-02-03T00:00:00.000Z'],
  );
});
