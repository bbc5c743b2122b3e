import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Handler } from '#core/http/operation.ts';
import type { RunTool } from '#core/tools/tool.ts';
import { indexBeside } from '#test/capability-index.ts';
import { openTestDatabase } from '#test/databases.ts';
import { textResult } from '#test/fakes/mcp-server.ts';
import { linkAllNow } from '#test/linking.ts';
import { probesFixture, startProbed } from '#test/probes-fixture.ts';
import { sampleSkill } from '#test/sample-skill.ts';
import { keptReplies } from './kept-replies.ts';
import { listTools } from './list-tools.ts';
import type { DiscoveredTool } from './shapes.ts';
import { searchTools } from './tool-search.ts';
import { discoveryHot } from './tools/discovery-hot.ts';
import { discoveryTools } from './tools/discovery-tools.ts';

interface Page {
  items: DiscoveredTool[];
  total_count: number;
}
let ask: (query?: Record<string, unknown>) => Promise<{ page: Page; link: string | undefined }>;
interface Found {
  name: string;
  server: string;
  next: { tool: string; arguments: object };
}
let find: (query: string, run_tool: RunTool | null) => Promise<{ text: string; structured: { items: Found[] } }>;
let stand: Awaited<ReturnType<typeof probesFixture>>;
const closing: (() => Promise<unknown>)[] = [];

before(async () => {
  const database = await openTestDatabase();
  stand = await probesFixture(database);
  const names = ['Café_find', 'alpha', 'beta'];
  const about: Record<string, string> = { beta: 'Deletes a calendar entry.' };
  const server = await startProbed(
    names.map((name) => ({
      name,
      description: about[name] ?? `${name} 100%`,
      inputSchema: {
        type: 'object' as const,
        properties: { entry: { type: 'string' as const } },
        required: name === 'beta' ? ['entry'] : [],
      },
      call: () => textResult(''),
    })),
  );
  closing.push(server.close, stand.outbound.close, database.close);
  await stand.list({ 'some/server': server.url, again: server.url });
  await stand.work();
  await linkAllNow(database);
  const hot = async () => ({ items: [], window: { days: 7, from: '', to: '' } });
  const search = searchTools({
    db: stand.db,
    index: indexBeside({ config: database.config, clock: stand.clock }),
    tools: async () => [discoveryHot({ hot })],
    skills: [sampleSkill(''), sampleSkill('', { name: 'other' })],
    skillUnavailable: async (name) => (name === 'other' ? 'missing_env' : null),
    own: {
      name: 'Capstan',
      url: '/mcp/jsonrpc',
      tasks_url: '/api/agents/tasks',
      protocol_version: '2025-11-25',
      status: 'ok',
    },
  });
  find = (query, run_tool) =>
    discoveryTools({ search }).run({ query, limit: 2 }, { run_tool } as never) as ReturnType<typeof find>;
  const handler = listTools({ search, kept: keptReplies(stand.clock, 5_000) }) as Handler;
  ask = async (query = {}) => {
    const reply = await handler({
      query: { limit: 50, offset: 0, ...query },
      raw_path: '/api/discovery/tools',
    } as never);
    return { page: JSON.parse(reply.body as string), link: reply.headers?.link };
  };
});
after(async () => {
  for (const close of closing) await close();
});

const names = ({ page }: { page: Page }) => page.items.map(({ name }) => name);

test('200: own tools, first-party skills and tools of probed servers, with auth and endpoints', async () => {
  const answer = await ask();
  assert.deepEqual(names(answer), ['discovery_hot', 'sample', 'other', 'Café_find', 'alpha', 'beta']);
  const [own, skill, unready, remote] = answer.page.items;
  assert.deepEqual([own?.server.id, own?.auth, own?.status, own?.capability], ['capstan', 'none', 'ok', null]);
  assert.deepEqual([skill?.auth, skill?.status, skill?.capability], ['jwt', 'ok', { kind: 'skill', ref: 'sample' }]);
  assert.deepEqual(own?.call, {
    protocol: 'mcp',
    endpoint: '/mcp/jsonrpc',
    method: 'tools/call',
    params: { name: 'discovery_hot' },
  });
  assert.deepEqual([skill?.server.id, skill?.server.url], ['capstan/skills', '/api/agents/tasks']);
  assert.deepEqual(skill?.call, {
    protocol: 'http',
    endpoint: '/api/agents/tasks',
    method: 'POST',
    params: { capability: { kind: 'skill', ref: 'sample' } },
  });
  assert.deepEqual([remote?.call.protocol, remote?.call.params], ['mcp', { name: 'Café_find' }]);
  assert.equal(unready?.status, 'missing_env');
  assert.deepEqual(
    remote?.server.listings,
    ['again', 'some/server'].map((id) => `/api/marketplace/registry/smithery/${id}`),
  );
  assert.deepEqual([remote?.server.name, remote?.server.id, remote?.auth], ['fake', 'smithery/again', 'none']);
  assert.deepEqual([remote?.status, remote?.last_seen_at], ['ok', '2026-03-01T00:00:00.000Z']);
  assert.equal(answer.link, undefined);
});

test('200: pages cover all three kinds, with exact totals and links', async () => {
  const pages = await Promise.all([0, 2, 4, 6].map((offset) => ask({ limit: 2, offset })));
  assert.deepEqual(pages.flatMap(names), names(await ask()));
  assert.ok(pages.every(({ page }) => page.total_count === 6));
  assert.equal(
    pages[1]?.link,
    '</api/discovery/tools?limit=2&offset=4>; rel="next", </api/discovery/tools?limit=2&offset=0>; rel="prev"',
  );
});

test('200: a search ranks tools of all kinds by what they do; a server filter takes any listing', async () => {
  assert.deepEqual(names(await ask({ search: ' CAFE ' })), ['Café_find']);
  assert.equal(names(await ask({ search: 'removing entries' }))[0], 'beta', 'synonyms and forms');
  assert.equal(names(await ask({ search: 'trending capabilities' }))[0], 'discovery_hot');
  assert.deepEqual(names(await ask({ search: 'zebra' })), []);
  assert.deepEqual(names(await ask({ search: ' … ' })), []);
  const twice = await ask({ search: 'alpha beta' });
  assert.deepEqual([names(twice).toSorted(), twice.page.total_count], [['alpha', 'beta'], 2], 'each once');
  const of = await ask({ server: 'smithery/some/server', search: 'alpha beta', limit: 1 });
  assert.deepEqual([names(of).length, of.page.total_count], [1, 2]);
  assert.match(of.link ?? '', /search=alpha\+beta&server=smithery%2Fsome%2Fserver&limit=1&offset=1>; rel="next"/);
  assert.deepEqual(names(await ask({ server: 'capstan', search: 'alpha' })), []);
  assert.deepEqual(names(await ask({ server: 'capstan', search: 'hot' })), ['discovery_hot']);
  assert.deepEqual(names(await ask({ server: 'capstan' })), ['discovery_hot']);
  assert.deepEqual(names(await ask({ server: 'capstan/skills' })), ['sample', 'other']);
  for (const server of ['smithery/none', 'none', '/']) assert.equal((await ask({ server })).page.total_count, 0);
});

test('discovery_tools names the tool, its server and the call that reaches it', async () => {
  const { structured, text } = await find('removing entries', 'task_run');
  const { name, server, next } = structured.items[0] as Found;
  assert.deepEqual([name, server, next.tool], ['beta', 'fake', 'task_run']);
  assert.deepEqual(next.arguments, { ref: 'smithery/again', input: { tool: 'beta', arguments: { entry: '{entry}' } } });
  assert.match(text, /1\. the tool "beta" of "fake": "Deletes a calendar entry\."\n {3}next: task_run \{/);
  const nextOf = async (query: string) => (await find(query, null)).structured.items[0]?.next;
  const listing = { provider: 'smithery', external_id: 'again' };
  assert.deepEqual(await nextOf('removing entries'), { tool: 'registry_get_listing', arguments: listing });
  assert.deepEqual(await nextOf('trending'), { tool: 'discovery_hot', arguments: {} });
  assert.deepEqual(await nextOf('sample'), { tool: 'registry_get_skill', arguments: { name: 'sample' } });
  assert.match((await find('zebra', null)).text, /^No tool matches "zebra"\. Call marketplace_search/);
});

test('200: a response is cached for five seconds, after which removed tools disappear', async () => {
  await stand.change([], ['again']);
  assert.equal((await ask()).page.items[3]?.server.id, 'smithery/again');
  stand.clock.ms += 5_001;
  assert.equal((await ask()).page.items[3]?.server.id, 'smithery/some/server');
  await stand.change([], ['some/server']);
  stand.clock.ms += 5_001;
  assert.equal((await ask()).page.total_count, 3);
});
