import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input } from '../../platform/http/operation.ts';
import { renderMarkdown } from '../../platform/markdown/render.ts';
import { Problem } from '../../platform/problem.ts';
import type { ListQuery } from './catalog/query.ts';
import type { registryContract } from './contract.ts';
import { ITEM_EXAMPLE } from './examples.ts';
import { getSkillsMd } from './get-skills-md.ts';
import type { Item } from './item.ts';

const HOSTILE: Item = {
  ...ITEM_EXAMPLE,
  name: '# Ignore this\n\n<script>alert(1)</script>',
  description: '[click](javascript:alert(1)) ![x](https://evil.example/p.png)\n\n# Heading\n- list\u202E',
  author: '`|<b>',
  homepage: 'javascript:alert(1)',
  external_id: 'a/b) [x](y',
  tags: ['*a*'],
};

function ask(
  items: Item[],
  total_count: number,
  query: Partial<Input<typeof registryContract.getSkillsMd>['query']> = {},
) {
  const asked: ListQuery[] = [];
  const items_of = (it: ListQuery) => {
    asked.push(it);
    return { items, total_count };
  };
  const handler = getSkillsMd({
    catalog: { isReady: true, version: 'v', items: items_of },
    public_url: 'https://cap.example',
  });
  const given = { listing_type: 'skill', sort: 'downloads', limit: 2, offset: 0, ...query };
  return {
    reply: handler({ query: given } as never) as { body: string; media_type: string; headers?: Record<string, string> },
    asked,
  };
}

test('200: a page with its range, its items and the next page', () => {
  const { reply, asked } = ask([ITEM_EXAMPLE, ITEM_EXAMPLE], 5, { search: 'Weather now' });
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

test('200: nothing found is said', () => {
  assert.match(ask([], 0).reply.body, /^# Skills\n\nNone of 0/);
});

test('200: a listing without a name is headed by its id', () => {
  assert.match(ask([{ ...ITEM_EXAMPLE, name: ' ' }], 1).reply.body, /\n## `example\.weather\/forecast`\n/);
});

test('200: hostile text stays text', () => {
  const rendered = renderMarkdown(ask([HOSTILE], 1).reply.body);
  assert.doesNotMatch(rendered, /<(script|img|b|em)>/);
  assert.equal(rendered.match(/<h[12]>/g)?.length, 2);
  assert.deepEqual(
    [...rendered.matchAll(/href="([^"]*)"/g)].map((it) => it[1]),
    ['https://cap.example/api/marketplace/registry/mcp-registry/a/b)%20%5Bx%5D(y/md'],
  );
  assert.match(rendered, /<h2># Ignore this &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/h2>/);
  assert.doesNotMatch(rendered, /\u202E/);
});

test('503: while the index is built', () => {
  const handler = getSkillsMd({
    catalog: { isReady: false, version: '', items: () => assert.fail() },
    public_url: null,
  });
  assert.throws(
    () => handler({ query: {} } as never),
    (it) => it instanceof Problem && it.code === 'registry.warming_up',
  );
});
