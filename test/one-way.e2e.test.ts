import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { accountsOf } from './accounts.ts';
import { OPEN_SERVER, openOneWayStand } from './one-way-stand.ts';

/** An agent finds a server by what it does and has the answer of its tool, with proof, in two calls over MCP. */

const stand = await openOneWayStand({ probes: true });
after(() => stand[Symbol.asyncDispose]());
const { token } = await (await accountsOf(stand.world, systemClock, stand.url)).signUp();

interface Answer {
  items: {
    name: string;
    tool: string | null;
    tools: string[];
    next: { tool: string; arguments: { ref: string; input: { tool: string } } };
  }[];
  status: string;
  output: unknown;
  trace_id: string;
  receipt_id: string;
}

async function call(name: string, args: object, signedIn = true): Promise<Answer> {
  const answer = await stand.world.fetch('/mcp/jsonrpc', {
    method: 'POST',
    headers: {
      ...defined({ authorization: signedIn ? `Bearer ${token}` : undefined }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { result, error } = (await answer.json()) as {
    result?: { structuredContent: Answer; isError?: boolean };
    error?: unknown;
  };
  assert.ok(result !== undefined && result.isError !== true, JSON.stringify(error ?? result));
  return result.structuredContent;
}

test('a search names the tools of a server, and task_run answers with trace and receipt', async () => {
  const firstOf = async (search: string) => {
    const [first = assert.fail()] = (await call(search, { query: 'harbour tides' })).items;
    assert.deepEqual(first.tools, ['close_harbour()', 'tide_at(harbour: string)'], search);
    assert.equal(first.next.tool, 'task_run', search);
    return first;
  };
  assert.equal((await firstOf('registry_search')).next.arguments.ref, `mcp-registry/${OPEN_SERVER}`);
  const { next } = await firstOf('marketplace_search');
  for (const search of ['registry_search', 'marketplace_search']) {
    const [found] = (await call(search, { query: 'harbour tides' }, false)).items;
    assert.equal(found?.next.tool, 'registry_get_listing', 'task_run is not a tool of callers without an account');
  }
  const input = { tool: 'tide_at', arguments: { harbour: 'Husum' } };
  const ran = await call(next.tool, { ...next.arguments, input });
  assert.equal(ran.status, 'completed');
  assert.match(JSON.stringify(ran.output), /High water at noon in Husum/);
  assert.match(ran.trace_id, /^[0-9a-f]{32}$/);
  const { dsse } = await stand.world.get<{ dsse: { payload: string } }>(`/api/receipts/${ran.receipt_id}`);
  const { subject } = JSON.parse(Buffer.from(dsse.payload, 'base64').toString());
  assert.equal(subject[0].name, `listing/mcp-registry/${OPEN_SERVER}@1.0.0`);
});

test('a server is found by its tool, and each answer names the tool', async () => {
  const { fetch } = stand.world;
  for (const search of ['registry_search', 'marketplace_search'])
    for (const [query, tool] of Object.entries({ 'close the harbour': 'close_harbour', tides: 'tide_at' })) {
      const found = (await call(search, { query })).items.find((item) => item.tool !== null);
      assert.deepEqual([found?.tool, found?.next.arguments.input.tool], [tool, tool], search);
    }
  const [tool] = (await call('discovery_tools', { query: 'tide of a harbour' })).items;
  assert.deepEqual([tool?.name, tool?.next.tool, tool?.next.arguments.input.tool], ['tide_at', 'task_run', 'tide_at']);
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"tides"}' };
  const hits = (await (await fetch('/api/marketplace/search', asked)).json()) as Answer;
  assert.equal(hits.items[0]?.tool, 'tide_at');
  const listed = (await (await fetch('/api/discovery/tools?search=closing+harbours')).json()) as Answer;
  assert.equal(listed.items[0]?.name, 'close_harbour');
  const page = await fetch('/marketplace?search=tides', { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /Tool <code><bdi>tide_at<\/bdi><\/code>/);
});

test('without scripts, Connect leads to the tool to begin with, and a second press to a form for another account', async () => {
  const { url, world } = stand;
  const listing = `mcp-registry/${OPEN_SERVER}`;
  const form = `/dashboard/connections?listing=${encodeURIComponent(listing)}`;
  const cookie = { cookie: `capstan-token=${token}` };
  const html = { accept: 'text/html', host: new URL(url).host };
  const get = (path: string) => world.fetch(path, { headers: { ...html, ...cookie } });
  const press = (headers: Record<string, string>) =>
    world.fetch(form, {
      method: 'POST',
      headers: { ...html, ...headers, origin: url, 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams({ do: 'connect', at_once: 'yes', place: listing, remote: '0' })}`,
    });
  const toOf = (answer: Response) => {
    assert.equal(answer.status, 303);
    return answer.headers.get('location') as string;
  };
  const page = await (await get(`/registry/${listing}`)).text();
  assert.ok(page.includes(`<form method="post" action="${form}">`), 'the button of the listing sends this form');
  assert.equal(toOf(await press({})), `/signin?to=${encodeURIComponent(form)}`);
  const connection = toOf(await press(cookie));
  assert.match(connection, /^\/dashboard\/connections\/[0-9a-f-]{36}\?begin=connection_made$/);
  const tool = toOf(await get(connection));
  assert.match(tool, /\/tools\/tide_at\?done=connection_made$/, 'the tool that only reads');
  assert.match(await (await get(tool)).text(), /Connection created\.[\s\S]*Other tools of this server/);
  assert.equal(toOf(await press(cookie)), form);
  assert.match(await (await get(form)).text(), /You are connected to this server\./);
});
