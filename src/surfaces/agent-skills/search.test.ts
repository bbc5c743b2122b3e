import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flaggedOf } from '#catalog/items/flagged.ts';
import type { OwnItem } from '#catalog/items/own-listings.ts';
import type { PublishedSkill } from '#marketplace/publishing/published-skills.ts';
import { exampleItem } from '#test/example-items.ts';
import { input, text } from '#test/handler-input.ts';
import { searchOver } from '#test/listing-search.ts';
import { smallSkillStore } from '#test/small-skill-store.ts';
import { searchSkills } from './search.ts';

const item = (external_id: string, downloads: number) =>
  exampleItem(1, { provider_id: 'skills-sh', listing_type: 'skill', external_id, name: 'pdf\u202E', downloads });
let publishedSkills: PublishedSkill[] = [];
const items = [item('ann/kit/pdf/tools', 5), item('bob/kit/pdf', 3)];
const others = [
  exampleItem(7, { provider_id: 'clawhub', listing_type: 'skill', name: 'pdf things alone' }),
  exampleItem(8, { provider_id: 'skills-sh', listing_type: 'server', name: 'pdf things alone' }),
];
const catalog = { isReady: true, items: () => ({ total_count: 2, items }) };
const own: OwnItem = {
  ...exampleItem(9, { name: 'eve/xylophone', listing_type: 'skill', external_id: 'id-xylophone' }),
  source: 'capstan',
  provider_id: 'capstan',
};
const search = searchOver([...items, ...others, own], smallSkillStore.skills);
const published = { list: async () => publishedSkills };
const get = searchSkills({
  skill_store: smallSkillStore,
  published,
  catalog: catalog as never,
  search,
  base_url: 'https://capstan.example',
});
async function skills(query: object) {
  const { body } = await text(get(input({ query: { limit: 20, ...query } })));
  return JSON.parse(body).skills;
}

test('200: first-party skills and those of skills.sh, each with its installation source', async () => {
  assert.deepEqual(await skills({ q: 'THINGS alone' }), [
    { id: 'skills/alone', name: 'alone', source: 'https://capstan.example', installs: 0 },
  ]);
  assert.deepEqual(await skills({ q: 'pdf' }), [
    { id: 'ann/kit/pdf/tools', name: 'pdf', source: 'ann/kit', installs: 5 },
    { id: 'bob/kit/pdf', name: 'pdf', source: 'bob/kit', installs: 3 },
  ]);
});

test('200: filters by owner, limits, and works without a query', async () => {
  assert.deepEqual(
    (await skills({ q: 'pdf', owner: 'BOB' })).map((skill: { id: string }) => skill.id),
    ['bob/kit/pdf'],
  );
  assert.equal((await skills({ q: 'pdf', limit: 1 })).length, 1);
  assert.equal((await skills({})).length, 4);
});

test('503: before the catalog index is ready', async () => {
  const early = searchSkills({
    skill_store: smallSkillStore,
    published,
    catalog: { ...catalog, isReady: false } as never,
    search,
    base_url: '',
  });
  await assert.rejects(async () => early(input({ query: { q: 'a', limit: 1 } })), {
    code: 'http.unavailable',
    reason: 'index',
  });
});

test('200: published skills as publisher-name, by relevance among the others, or at every fourth place without a query', async () => {
  const skill = (publisher: string, name: string): PublishedSkill => ({
    index_name: `${publisher}-${name}`,
    listing: { id: `id-${name}`, name: `${publisher}/${name}`, author: publisher } as PublishedSkill['listing'],
    files: [],
  });
  publishedSkills = [
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => skill('ada-lang', name)),
    skill('eve', 'xylophone'),
  ];
  const ids = async (query: object) => (await skills(query)).map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids({ limit: 5 }), [
    'skills/alone',
    'skills/several',
    'ann/kit/pdf/tools',
    'skills/ada-lang-a',
    'bob/kit/pdf',
  ]);
  assert.deepEqual(await ids({ q: 'xylophone' }), ['skills/eve-xylophone']);
  assert.deepEqual(await ids({ q: 'xylophone', owner: 'EVE' }), ['skills/eve-xylophone']);
  assert.deepEqual(await ids({ q: 'xylophone', owner: 'ada-lang' }), []);
  assert.deepEqual(await ids({ q: '', owner: 'EVE' }), ['skills/eve-xylophone']);
  assert.equal((await skills({ q: 'xylophone' }))[0].source, 'https://capstan.example');
  publishedSkills = [];
  assert.deepEqual(await ids({ q: 'xylophone' }), [], 'yanked or withdrawn meanwhile');
});

test('200: omits flagged skills', async () => {
  const known = flaggedOf([['skills-sh', 'ann/kit/pdf/tools']], true, 'v1');
  const flagged = { known: () => known, read: async () => known };
  const ask = searchSkills({
    skill_store: smallSkillStore,
    published,
    catalog: catalog as never,
    search,
    base_url: '',
    flagged,
  });
  const { body } = await text(ask(input({ query: { q: 'pdf', limit: 1 } })));
  assert.deepEqual(
    JSON.parse(body).skills.map(({ id }: { id: string }) => id),
    ['bob/kit/pdf'],
  );
});
