import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import type { Listing } from '#catalog/items/item.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { defined } from '#core/defined.ts';
import { accountsOf } from './accounts.ts';
import { zipOf } from './fakes/archives.ts';
import { startMcpFake } from './fakes/mcp-server.ts';
import { startSmitheryFake } from './fakes/providers/smithery.ts';
import { startSkillHosts } from './fakes/skill-hosts.ts';
import { linked } from './linking.ts';
import { skillFiles } from './publishing-stand.ts';
import { until } from './until.ts';
import { openWorld, type World } from './world.ts';

const listing = (provider_id: Listing['provider_id'], external_id: string, more: Partial<Listing>): Listing => ({
  name: external_id,
  description: '',
  version: '1.0.0',
  author: '',
  homepage: '',
  downloads: 0,
  stars: 0,
  tags: [],
  source: provider_id,
  provider_id,
  external_id,
  listing_type: 'skill',
  execution_class: 'prompt',
  external_updated_at: null,
  license: '',
  repository: '',
  install: null,
  manifest: null,
  aliases: [],
  reported: { downloads: false, stars: false, updated_at: false },
  ...more,
});

const save = (world: World, listing: Listing) =>
  world.database.db.transaction().execute(async (trx) => {
    await saveListings(trx, listing.provider_id, [listing], {
      run: 'r',
      now: '2026-01-01T00:00:00.000Z',
      seq: () => nextSeq(trx),
    });
  });

interface Task {
  id: string;
  capability: { kind: string; ref: string; version: string };
  error: { code: string; detail: string } | null;
  status: string;
  status_reason: string | null;
  output: unknown;
  receipt_id: string | null;
}

async function runTask(world: World, token: string, capability: object, input: unknown): Promise<Task> {
  const ask = async (path: string, method = 'GET', body?: unknown) => {
    const answer = await world.fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()) as Task;
  };
  const { id } = await ask('/api/agents/tasks', 'POST', { capability, input });
  await ask(`/api/agents/tasks/${id}/start`, 'POST');
  return until('an end of the task', async () => {
    const task = await ask(`/api/agents/tasks/${id}`);
    return task.status !== 'working' && task;
  });
}

test("a listing from the registry runs as a task: a server's tool, and a skill fetched from its host", async (t) => {
  const [hosts, server] = [await startSkillHosts(), await startMcpFake([])];
  t.after(() => Promise.all([hosts.close(), server.close()]));
  server.tools.push({
    name: 'add',
    annotations: { idempotentHint: true },
    call: ({ a, b }) => ({ content: [], structuredContent: { sum: Number(a) + Number(b) } }),
  });
  hosts.answers.set('/api/v1/skills/rope', { json: { owner: { handle: 'ann' } } });
  hosts.answers.set(
    '/api/v1/download?slug=rope&version=1.0.0',
    zipOf([
      { name: 'SKILL.md', body: '---\nname: rope\n---\n' },
      { name: 'scripts/run.sh', body: 'jq -c "{length: (.text | length)}"' },
    ]),
  );
  await using world = await openWorld({ CAPSTAN_PROVIDER_CLAWHUB_URL: hosts.url }, 'serve');
  const remotes = [{ transport: 'streamable-http', url: server.url, headers: [], variables: [] }];
  await save(
    world,
    listing('mcp-registry', 'io.x/calc', { execution_class: 'mcp', install: { packages: [], remotes } }),
  );
  const install = { type: 'clawhub-skill', owner: 'ann', slug: 'rope', version: '1.0.0' };
  await save(world, listing('clawhub', 'ann/rope', { install }));
  const { token } = await (await accountsOf(world)).signUp();
  const tool = { kind: 'listing', ref: 'mcp-registry/io.x/calc' };
  const called = await runTask(world, token, tool, { tool: 'add', arguments: { a: 2, b: 3 } });
  assert.deepEqual([called.status, called.output], ['completed', { sum: 5 }]);
  assert.ok(called.receipt_id);
  const ran = await runTask(world, token, { kind: 'listing', ref: 'clawhub/ann/rope' }, { text: 'four' });
  assert.deepEqual([ran.status, ran.output], ['completed', { length: 4 }]);
  assert.ok(ran.receipt_id);
  await world.catalog.refresh();
  const scripted = await world.fetch('/api/marketplace/registry?execution_class=scripted&provider=clawhub');
  const { items } = (await scripted.json()) as { items: { external_id: string }[] };
  assert.deepEqual(
    items.map(({ external_id }) => external_id),
    ['ann/rope'],
    'the list said prompt; its files do not',
  );
});

test('a marketplace listing runs as a task by its id, by a merged id, and as publisher/name or skill/name', async (t) => {
  const server = await startMcpFake([
    { name: 'add', call: ({ a, b }) => ({ content: [], structuredContent: { sum: Number(a) + Number(b) } }) },
    { name: 'subtract', call: () => ({ content: [] }) },
  ]);
  t.after(() => server.close());
  await using world = await openWorld({}, 'serve');
  const accounts = await accountsOf(world);
  const { token } = await accounts.signUp();
  const remotes = [{ transport: 'streamable-http', url: server.url, headers: [], variables: [] }];
  const calc = {
    name: 'Calc',
    listing_type: 'server',
    execution_class: 'mcp',
    repository: 'https://github.com/x/calc',
  } as const;
  await save(world, listing('mcp-registry', 'io.github.x/calc', { ...calc, install: { packages: [], remotes } }));
  await save(world, listing('glama', 'x/calc', { ...calc, install: { packages: [{ name: '@x/calc' }], remotes: [] } }));
  await save(
    world,
    listing('docker', 'local', { ...calc, name: 'Local', repository: '', install: { packages: [{ name: 'l' }] } }),
  );
  await linked(world.database);
  const rows = await world.database.db.selectFrom('capabilities').selectAll().execute();
  const idOf = (provider: string) => rows.find(({ provider_id }) => provider_id === provider)?.id as string;
  const merged = rows.filter(({ provider_id }) => provider_id !== 'docker');
  assert.equal(new Set(merged.map(({ stands_id }) => stands_id)).size, 1, 'two providers list one server');
  const input = { tool: 'add', arguments: { a: 2, b: 3 } };
  for (const ref of [...merged.map(({ id }) => id), 'mcp-registry/io.github.x/calc']) {
    const called = await runTask(world, token, { kind: 'capability', ref }, input);
    assert.deepEqual([called.status, called.output], ['completed', { sum: 5 }], ref);
    assert.deepEqual([called.capability.kind, called.capability.ref], ['listing', 'mcp-registry/io.github.x/calc']);
  }
  const ours = await runTask(world, token, { kind: 'capability', ref: 'skill/json-diff' }, { before: 1, after: 2 });
  assert.deepEqual([ours.status, ours.capability.ref], ['completed', 'json-diff']);

  const asking = (path: string, body?: object) =>
    world.fetch(path, {
      ...defined(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
  for (const kind of [undefined, 'skill', 'listing', 'rig', 'harness'])
    for (const ref of [...merged.map(({ id }) => id), 'mcp-registry/io.github.x/calc']) {
      const made = await asking('/api/agents/tasks', { capability: { kind, ref }, input });
      const { capability } = (await made.json()) as Task;
      assert.deepEqual([made.status, capability.ref], [201, 'mcp-registry/io.github.x/calc'], `${kind} ${ref}`);
    }
  for (const ref of ['json-diff', 'skill/json-diff'])
    assert.equal((await runTask(world, token, { ref }, { before: 1, after: 2 })).capability.kind, 'skill');

  const files = skillFiles('count');
  const order = { name: 'ada-lang/count', version: '1.0.0', license: 'MIT', files };
  assert.equal((await asking('/api/marketplace/listings', order)).status, 201);
  const published = await runTask(world, token, { kind: 'capability', ref: 'ada-lang/count' }, { text: 'two words' });
  assert.deepEqual([published.status, published.output], ['completed', 2]);
  for (const kind of [undefined, 'skill'])
    for (const ref of ['ada-lang/count', published.capability.ref, `capstan/${published.capability.ref}`])
      assert.equal(
        (await runTask(world, token, { kind, ref }, { text: 'a b c' })).capability.ref,
        published.capability.ref,
        `${kind} ${ref}`,
      );
  const moved = await asking('/api/marketplace/listings/ada-lang%2Fcount');
  assert.deepEqual(
    [moved.status, moved.headers.get('location')],
    [308, `/api/marketplace/listings/${published.capability.ref}`],
  );

  const blocked = await runTask(world, token, { kind: 'capability', ref: idOf('docker') }, {});
  assert.deepEqual([blocked.status, blocked.status_reason], ['rejected', 'unsupported']);
  assert.match(blocked.error?.detail ?? '', /package.*capstan install docker\/local/);

  const unnamed = await asking('/api/agents/tasks', {
    capability: { kind: 'capability', ref: idOf('glama') },
    input: {},
  });
  const problem = (await unnamed.json()) as { detail: string; errors: { pointer: string }[] };
  assert.equal(unnamed.status, 422);
  assert.match(problem.detail, /\{"tool": "<name>", "arguments": \{…\}\}\. Its tools: add, subtract\./);
  assert.match(problem.errors[0]?.pointer ?? '', /\/tool$/);
  const rig = (server: string) => `apiVersion: registry/v1
kind: Rig
metadata: { name: by-id, version: "1.0.0", description: Names its parts by marketplace ids. }
spec:
  skills: [{ ref: capability/skill/json-diff, digest: "" }, { ref: capability/ada-lang/count, digest: "" }]
  prompt: Work.
  servers: [{ name: calc, ref: capability/${server}, digest: "", tools: { allow: [add] } }]
`;
  const resolved = async (server: string) => {
    const stored = await asking('/api/rigs', { yaml: rig(server) });
    assert.equal(stored.status, 201, await stored.clone().text());
    const { id } = (await stored.json()) as { id: string };
    return asking(`/api/rigs/${id}/resolve`, {});
  };
  const lock = await resolved(idOf('glama'));
  const locked = await lock.text();
  assert.equal(lock.status, 200, locked);
  assert.match((JSON.parse(locked) as { content: string }).content, /"name": "add",\s+"schema_hash"/);

  await world.database.db.transaction().execute(async (trx) => {
    const save = { run: IMPORTED, now: '2026-01-01T00:00:00.000Z', seq: () => nextSeq(trx) };
    await saveListings(trx, 'clawhub', [listing('clawhub', 'ann/imported', {})], save);
  });
  const imported = await runTask(world, token, { kind: 'capability', ref: 'clawhub/ann/imported' }, {});
  assert.match(imported.error?.detail ?? '', /was imported; sync its provider first: capstand sync clawhub/);

  const unknown = { kind: 'capability', ref: '01900000-0000-7000-8000-000000000000' };
  assert.equal((await asking('/api/agents/tasks', { capability: unknown })).status, 404);
});

test('a Smithery server runs from its list entry: its URL is fetched once, when it is needed', async (t) => {
  const server = await startMcpFake([
    { name: 'tide', call: () => ({ content: [], structuredContent: { height: 3 } }) },
  ]);
  t.after(() => server.close());
  const qualifiedName = 'ann/tides';
  const fake = await startSmitheryFake({
    records: {
      servers: [{ qualifiedName, displayName: 'Tides', namespace: 'ann', useCount: 9, remote: true }],
      skills: [],
      details: [
        {
          qualifiedName,
          remote: true,
          deploymentUrl: server.url,
          connections: [{ type: 'http', deploymentUrl: server.url, configSchema: {} }],
        } as { qualifiedName: string },
      ],
    },
  });
  t.after(() => fake.close());
  const settings = { CAPSTAN_PROVIDERS: 'smithery', CAPSTAN_PROVIDER_SMITHERY_URL: fake.url };
  await using world = await openWorld(settings, 'serve');
  const { token } = await (await accountsOf(world)).signUp();
  const page = '/api/marketplace/registry/smithery/ann/tides';
  await until('the listing', async () => (await world.fetch(page)).status === 200);
  const detail = (await (await world.fetch(page)).json()) as { install: { remotes: { url: string }[] } | null };
  assert.equal(detail.install?.remotes[0]?.url, server.url);
  const ran = await runTask(world, token, { kind: 'listing', ref: 'smithery/ann/tides' }, { tool: 'tide' });
  assert.deepEqual([ran.status, ran.output], ['completed', { height: 3 }]);
  assert.equal(fake.requests.filter(({ path }) => path === '/servers/ann%2Ftides').length, 1);
});
