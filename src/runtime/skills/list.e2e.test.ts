import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '#test/world.ts';

interface Page {
  items: { name: string; digest: string; links: { self: string } }[];
  total_count: number;
  limit: number;
  offset: number;
}

test('200: each skill once across the pages linked by Link, sorted by name', async () => {
  await using world = await openWorld();
  const whole = await world.get<Page>('/api/skills');
  assert.deepEqual([whole.limit, whole.offset, whole.total_count], [50, 0, whole.items.length]);
  const names = whole.items.map((item) => item.name);
  assert.ok(names.includes('rig-template-explore'));
  assert.deepEqual(names, [...names].sort());

  const seen: string[] = [];
  for (let path: string | undefined = '/api/skills?limit=2'; path; ) {
    const answer = await world.fetch(path);
    const { items } = (await answer.json()) as Page;
    seen.push(...items.map((item) => item.name));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(seen, names);
  const last = await world.fetch(`/api/skills?limit=2&offset=3`);
  assert.match(last.headers.get('link') ?? '', /<\/api\/skills\?limit=2&offset=1>; rel="prev"/);
  assert.equal(last.headers.get('access-control-allow-origin'), '*');
  const beyond = await world.get<Page>('/api/skills?offset=1000');
  assert.deepEqual([beyond.items, beyond.total_count], [[], names.length]);
});

test('400: a limit out of range, a negative offset, an unknown parameter', async () => {
  await using world = await openWorld();
  for (const query of ['limit=0', 'limit=201', 'limit=ten', 'offset=-1', 'page=2'])
    assert.equal((await world.fetch(`/api/skills?${query}`)).status, 400, query);
});
