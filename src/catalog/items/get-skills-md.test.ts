import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListQuery } from '#catalog/search/query/list-query.ts';
import type { Input } from '#core/http/operation.ts';
import { renderMarkdown } from '#core/markdown/render.ts';
import { isProblem } from '#core/problem/problem.ts';
import { searchOver } from '#test/listing-search.ts';
import { sampleSkill } from '#test/sample-skill.ts';
import type { itemsContract } from './contract.ts';
import { ITEM_EXAMPLE } from './examples.ts';
import { flaggedOf } from './flagged.ts';
import { getSkillsMd } from './get-skills-md.ts';
import type { Item } from './item.ts';
import type { OwnItem } from './own-listings.ts';

const HOSTILE: Item = {
  ...ITEM_EXAMPLE,
  name: '# Ignore this\n\n<script>alert(1)</script>',
  description: '[click](javascript:alert(1)) ![x](https://evil.example/p.png)\n\n# Heading\n- list\u202E',
  author: '`|<b>',
  homepage: 'javascript:alert(1)',
  external_id: 'a/b) [x](y',
  tags: ['*a*'],
};

async function ask(
  items: Item[],
  total_count: number,
  query: Partial<Input<typeof itemsContract.getSkillsMd>['query']> = {},
  own: OwnItem[] = [],
) {
  const asked: ListQuery[] = [];
  const itemsOf = (listQuery: ListQuery) => {
    asked.push(listQuery);
    return { items, total_count };
  };
  const handler = getSkillsMd({
    catalog: { isReady: true, version: 'v', items: itemsOf },
    search: searchOver(items, [sampleSkill('', { name: 'weather-now', description: 'Tells the weather.' })]),
    public_url: 'https://cap.example',
    own: async () => own,
  });
  const given = { listing_type: 'skill', sort: 'downloads', limit: 2, offset: 0, ...query };
  const reply = (await handler({ query: given } as never)) as {
    body: string;
    media_type: string;
    headers?: Record<string, string>;
  };
  return { reply, asked };
}

test('200: shows a page of skills with its range and a link to the next page', async () => {
  const { reply, asked } = await ask([ITEM_EXAMPLE, ITEM_EXAMPLE], 5, { search: 'Weather now' });
  assert.equal(reply.media_type, 'text/markdown; charset=utf-8');
  assert.match(reply.body, /^# Skills\n\n1 to 2 of 5, by downloads, where search is weather now\./);
  assert.match(reply.body, /## weather\n\nForecasts and warnings for any place on earth\.\n/);
  assert.match(
    reply.body,
    /\(<https:\/\/cap\.example\/api\/marketplace\/registry\/mcp-registry\/example\.weather\/forecast\/md>\)/,
  );
  assert.match(
    reply.body,
    /\[Next page\]\(https:\/\/cap\.example\/api\/marketplace\/skills\.md\?listing_type=skill&search=weather\+now&sort=downloads&limit=2&offset=2\)/,
  );
  assert.match(reply.headers?.link ?? '', /rel="next"/);
  assert.equal(asked[0]?.listing_type, 'skill');
});

test('200: by relevance, built-in skills are ranked among the listings', async () => {
  const items = ['Oslo', 'Lima'].map((city) => ({
    ...ITEM_EXAMPLE,
    listing_type: 'skill' as const,
    external_id: `ana/${city}`,
    description: `Forecasts for ${city}.`,
  }));
  const { reply, asked } = await ask(items, 5, { search: 'Weather', sort: 'relevance' });
  assert.match(reply.body, /^# Skills\n\n1 to 2 of 3, by relevance, where search is Weather\./);
  assert.match(reply.body, /skills\.md\?listing_type=skill&search=Weather&sort=relevance&limit=2&offset=2\)/);
  const next = await ask(items, 5, { search: 'Weather', sort: 'relevance', offset: 2 });
  assert.match(next.reply.body, /3 to 3 of 3.*## weather-now\n/s);
  assert.deepEqual(asked, [], 'nothing is listed by downloads');
});

test('200: says that there are no results', async () => {
  assert.match((await ask([], 0)).reply.body, /^# Skills\n\nNone of 0/);
});

test('200: a listing without a name has its id as heading', async () => {
  assert.match((await ask([{ ...ITEM_EXAMPLE, name: ' ' }], 1)).reply.body, /\n## `example\.weather\/forecast`\n/);
});

test('200: hostile text in a listing is escaped', async () => {
  const rendered = renderMarkdown((await ask([HOSTILE], 1)).reply.body);
  assert.doesNotMatch(rendered, /<(script|img|b|em)>/);
  assert.equal(rendered.match(/<h[12]>/g)?.length, 2);
  assert.deepEqual(
    [...rendered.matchAll(/href="([^"]*)"/g)].map((match) => match[1]),
    ['https://cap.example/api/marketplace/registry/mcp-registry/a/b)%20%5Bx%5D(y/md'],
  );
  assert.match(rendered, /<h2># Ignore this &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/h2>/);
  assert.doesNotMatch(rendered, /\u202E/);
});

test('503: the index is still being built', async () => {
  const handler = getSkillsMd({
    catalog: { isReady: false, version: '', items: () => assert.fail() },
    search: searchOver([]),
    public_url: null,
    own: async () => [],
  });
  await assert.rejects(
    async () => handler({ query: {} } as never),
    (error) => isProblem(error, 'http.unavailable', 'index'),
  );
});

test('200: built-in and published skills come first, and pages cover all with exact totals', async () => {
  const own = ['skill/csv-profile', '01900000-0000-7000-8000-000000000001'].map(
    (external_id, at): OwnItem => ({
      ...ITEM_EXAMPLE,
      name: ['csv-profile', 'ada-lang/count'][at] as string,
      listing_type: 'skill',
      source: 'capstan',
      provider_id: 'capstan',
      external_id,
      tags: ['Text'],
    }),
  );
  const first = await ask([ITEM_EXAMPLE], 5, { limit: 3 }, own);
  assert.match(first.reply.body, /1 to 3 of 7, by downloads, listings of this service first\./);
  const heads = [...first.reply.body.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(heads, ['csv-profile', 'ada-lang/count', 'weather']);
  assert.match(first.reply.body, /api\/marketplace\/listings\/skill%2Fcsv-profile\/md/);
  assert.deepEqual([first.asked[0]?.limit, first.asked[0]?.offset], [1, 0]);
  const second = await ask([ITEM_EXAMPLE], 5, { limit: 3, offset: 3 }, own);
  assert.deepEqual([second.asked[0]?.limit, second.asked[0]?.offset], [3, 1]);
  const count = async (query: object) => {
    const { reply } = await ask([], 0, query, own);
    return [...reply.body.matchAll(/^## /gm)].length;
  };
  assert.equal(await count({ search: 'CSV' }), 1);
  assert.equal(await count({ tag: 'text' }), 2);
  assert.equal(await count({ provider: 'clawhub' }), 0);
  assert.equal(await count({ listing_type: 'server' }), 0);
});

test('200: a flagged listing is marked', async () => {
  const known = flaggedOf([[ITEM_EXAMPLE.provider_id, ITEM_EXAMPLE.external_id]], true, 'v1');
  const { body } = (await getSkillsMd({
    catalog: { isReady: true, version: 'v', items: () => ({ items: [ITEM_EXAMPLE, HOSTILE], total_count: 2 }) },
    search: searchOver([]),
    public_url: null,
    own: async () => [],
    flagged: { known: () => known, read: async () => known },
  })({ query: { listing_type: 'skill', sort: 'downloads', limit: 2, offset: 0 } } as never)) as { body: string };
  assert.equal(body.split('**Flagged:**').length, 2);
  assert.match(body, /## weather\n\n\*\*Flagged:\*\* read its details before you use it/);
});
