import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '#test/world.ts';

test('200: everything in one response, equal to its parts, public and with validators', async () => {
  await using world = await openWorld();
  const all = await world.get<Record<string, never>>('/api/discovery/all');
  assert.deepEqual(Object.keys(all), ['tools', 'more_tools', 'agents', 'protocols', 'generated_at']);
  const { total_count } = all.tools as unknown as { total_count: number };
  const next = '/api/discovery/tools?limit=100&offset=100';
  assert.equal(all.more_tools, total_count > 100 ? next : null);
  const parts = { tools: 'tools?limit=100', agents: 'agents', protocols: 'protocols' };
  for (const [part, path] of Object.entries(parts))
    assert.deepEqual(all[part], await world.get(`/api/discovery/${path}`), part);
  for (const path of ['all', 'tools?search=a', 'agents', 'protocols', 'hot']) {
    const answer = await world.fetch(`/api/discovery/${path}`);
    const etag = answer.headers.get('etag') as string;
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*'], path);
    assert.match(answer.headers.get('cache-control') ?? '', /^public/);
    const again = await world.fetch(`/api/discovery/${path}`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304, path);
  }
  // Invalid pages and parameters.
  for (const path of ['tools?limit=0', 'tools?limit=201', 'tools?offset=-1', 'tools?q=a', 'hot?limit=x', 'all?limit=1'])
    assert.equal((await world.fetch(`/api/discovery/${path}`)).status, 400, path);
});
