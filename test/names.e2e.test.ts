import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { changeUser } from '#accounts/users/users.ts';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { openStand } from '../cli/test/stand.ts';
import { accountsOf } from './accounts.ts';
import { startMcpFake, textResult } from './fakes/mcp-server.ts';
import { linkNow, saveAll } from './linking.ts';
import { listing, remote } from './listings.ts';
import { BROWSER } from './pages-stand.ts';
import { skillMd } from './publishing-stand.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** Every name that lists, searches and pages print works wherever a capability is named. */

const fake = await startMcpFake([
  { name: 'tide_at', inputSchema: { type: 'object' } as never, call: () => textResult('2.1 m') },
]);
const world = await openWorld();
const cli = await openStand('http://capstan.example');
after(async () => {
  await world.close();
  await cli[Symbol.asyncDispose]();
  await fake.close();
});
const account = await (await accountsOf(world, systemClock)).signUp();
const { db } = world.database;
await changeUser(db, account.user.id, { is_operator: 1 }, new Date().toISOString());
await saveAll(world.database, [
  listing('glama', 'io.example/tides', { name: 'Tides', description: 'Tides of harbours.', ...remote(fake.url) }),
]);

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about
async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const headers = {
    authorization: `Bearer ${account.token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  const sent = defined({ body: body === undefined ? undefined : JSON.stringify(body) });
  const answer = await world.fetch(path, { method, headers, ...sent });
  return { status: answer.status, body: await answer.json() };
}

const files = [{ path: 'SKILL.md', content: skillMd('count') }];
const made = await ask('POST', '/api/marketplace/listings', {
  name: 'ada-lab/count',
  version: '1.0.0',
  license: 'MIT',
  files,
});
assert.equal(made.status, 201, JSON.stringify(made.body));
const skillId: string = made.body.id;
await linkNow(world.database);
await world.catalog.refresh();
const serverId = await until('the server in the index', async () => {
  const { body } = await ask('GET', '/api/marketplace/listings?search=tides');
  return body.items?.[0]?.id as string | undefined;
});

type Kind = 'server' | 'published' | 'built_in';
const NAMES: Record<Kind, string[]> = {
  server: [serverId, 'glama/io.example/tides'],
  published: [skillId, 'ada-lab/count', `capstan/${skillId}`],
  built_in: ['json-diff', 'skill/json-diff'],
};
const ALL = Object.values(NAMES).flat();
const LISTED = [...NAMES.server, ...NAMES.published];

async function followed(path: string, left = 3): Promise<{ status: number; path: string; text: string }> {
  const headers = { accept: BROWSER, cookie: `capstan-token=${account.token}` };
  const answer = await world.fetch(path, { headers });
  const location = answer.headers.get('location');
  if (location !== null && left > 0) return followed(location, left - 1);
  return { status: answer.status, path, text: await answer.text() };
}

async function callTool(name: string, input: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  const { body } = await ask('POST', '/mcp/jsonrpc', message);
  assert.notEqual(body.result?.isError, true, JSON.stringify(body));
  return body.result.structuredContent;
}

async function run(...args: string[]) {
  const fetch = (address: string | URL | Request, init?: RequestInit) => {
    const { pathname, search } = new URL(address instanceof Request ? address.url : address);
    return world.fetch(`${pathname}${search}`, init as Parameters<typeof world.fetch>[1]);
  };
  const env = { CAPSTAN_TOKEN: account.token };
  const { code, out, err } = await cli.call(args, { env, fetch: fetch as typeof globalThis.fetch });
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return JSON.parse(out);
}

const at = encodeURIComponent;
const toolInput = { tool: 'tide_at', arguments: {} };

interface Door {
  names: readonly string[];
  open(name: string): Promise<void>;
}

async function isOk(asked: Promise<{ status: number; body: unknown }>, status = 200): Promise<void> {
  const answer = await asked;
  assert.equal(answer.status, status, JSON.stringify(answer.body));
}

const DOORS: Record<string, Door> = {
  'a task': {
    names: ALL,
    open: (ref) => {
      const input = NAMES.server.includes(ref) ? toolInput : { before: {}, after: {} };
      return isOk(ask('POST', '/api/agents/tasks', { capability: { ref }, input }), 201);
    },
  },
  'a task of a model': {
    names: NAMES.server,
    open: async (ref) => {
      const task = await callTool('task_create', { capability: { ref }, input: toolInput });
      assert.equal(task.capability.ref, 'glama/io.example/tides');
    },
  },
  'a connection': {
    names: NAMES.server,
    open: async (ref) => {
      const { status, body } = await ask('POST', '/api/sessions/connections', { ref });
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(body.listing, { provider: 'glama', external_id: 'io.example/tides' });
    },
  },
  registry_get_listing: {
    names: LISTED,
    open: async (ref) => {
      const found = await callTool('registry_get_listing', { ref });
      assert.equal(found.name, NAMES.server.includes(ref) ? 'Tides' : 'ada-lab/count');
    },
  },
  registry_get_skill: {
    names: NAMES.built_in,
    open: async (name) => assert.equal((await callTool('registry_get_skill', { name })).name, 'json-diff'),
  },
  'the marketplace listing': { names: ALL, open: (name) => isOkAt(`/api/marketplace/listings/${at(name)}`) },
  'its moderation': {
    names: LISTED,
    open: (name) => isOk(ask('GET', `/api/marketplace/listings/${at(name)}/moderation`)),
  },
  'its claims': { names: LISTED, open: (name) => isOk(ask('GET', `/api/marketplace/listings/${at(name)}/claims`)) },
  'featuring it': {
    names: LISTED,
    open: (name) => isOk(ask('PUT', `/api/marketplace/featured/${at(name)}`, { reason: 'Good.' })),
  },
  'the page of a capability': { names: ALL, open: (name) => isOkAt(`/marketplace/${name}`) },
  'the page of a listing': { names: LISTED, open: (name) => isOkAt(`/registry/${name}`) },
  'the page of a skill': {
    names: ['json-diff', ...NAMES.published],
    open: (name) => isOkAt(`/skills/${name}`),
  },
  'the form of a run': { names: ALL, open: (name) => isOkAt(`/runs/new?ref=${at(name)}`) },
  'the page of a publisher': { names: ['ada-lab'], open: (name) => isOkAt(`/publishers/${name}`) },
  'capstan show': { names: ALL, open: async (name) => assert.ok(await run('show', name)) },
  'capstan run': {
    names: NAMES.server,
    open: async (name) => {
      const task = await run('run', name, '--tool', 'tide_at', '--dry-run');
      assert.equal(task.capability.ref, 'glama/io.example/tides');
    },
  },
  'capstan install': {
    names: LISTED,
    open: async (name) => {
      const { steps } = await run('install', name, '--client', 'claude-code', '--dry-run');
      assert.equal(steps[0].action, 'written');
    },
  },
  'capstan connect': {
    names: NAMES.server,
    open: async (name) => assert.equal((await run('connect', name)).listing.external_id, 'io.example/tides'),
  },
};

async function isOkAt(path: string): Promise<void> {
  const found = await followed(path);
  assert.equal(found.status, 200, `${path}, then ${found.path}: ${found.text.slice(0, 300)}`);
}

for (const [door, { names, open }] of Object.entries(DOORS))
  test(`${door} accepts every form of name`, async () => {
    for (const name of names) await open(name).catch((error) => assert.fail(`${name}: ${error.message}`));
  });

test('404: a name that nothing has is answered with the nearest ones', async () => {
  const skill = await ask('POST', '/api/agents/tasks', { capability: { ref: 'json-dif' }, input: {} });
  assert.equal(skill.status, 404);
  assert.equal(skill.body.nearest[0].ref, 'skill/json-diff');
  const server = await ask('POST', '/api/sessions/connections', { ref: 'glama/example/tides' });
  assert.equal(server.status, 404, JSON.stringify(server.body));
  assert.deepEqual(server.body.nearest, [{ ref: 'glama/io.example/tides', name: 'Tides' }]);
  assert.match(server.body.detail, /Nearest: "glama\/io\.example\/tides"\.$/);
  const page = await ask('GET', `/api/marketplace/listings/${at('nobody/tides')}`);
  assert.equal(page.body.nearest[0].ref, 'glama/io.example/tides');
});

test('422: a skill of this service is not a server', async () => {
  const { status, body } = await ask('POST', '/api/sessions/connections', { ref: 'skill/json-diff' });
  assert.deepEqual([status, body.code, body.reason], [422, 'connections.invalid', 'no_remote']);
});
