import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextSeq } from '../src/features/registry/changes.ts';
import type { Listing } from '../src/features/registry/item.ts';
import { saveListings } from '../src/features/registry/items.ts';
import { accountsOf } from './accounts.ts';
import { zipOf } from './fakes/archives.ts';
import { startMcpFake } from './fakes/mcp-server.ts';
import { startSkillHosts } from './fakes/skill-hosts.ts';
import { openWorld, type World } from './world.ts';

const listing = (provider_id: Listing['provider_id'], external_id: string, more: Partial<Listing>): Listing => ({
  ...{ name: external_id, description: '', version: '1.0.0', author: '', homepage: '', downloads: 0, stars: 0 },
  ...{ tags: [], source: provider_id, provider_id, external_id, listing_type: 'skill', execution_class: 'prompt' },
  ...{ external_updated_at: null, license: '', repository: '', install: null, manifest: null, aliases: [] },
  reported: { downloads: false, stars: false, updated_at: false },
  ...more,
});

const save = (world: World, it: Listing) =>
  world.database.db.transaction().execute(async (trx) => {
    await saveListings(trx, it.provider_id, [it], {
      run: 'r',
      now: '2026-01-01T00:00:00.000Z',
      seq: () => nextSeq(trx),
    });
  });

interface Task {
  id: string;
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
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()) as Task;
  };
  const { id } = await ask('/api/agents/tasks', 'POST', { capability, input });
  await ask(`/api/agents/tasks/${id}/start`, 'POST');
  for (let tries = 0; tries < 200; tries++) {
    const task = await ask(`/api/agents/tasks/${id}`);
    if (task.status !== 'working') return task;
    await sleep(50);
  }
  throw new Error('the task did not end');
}

test('listings of the registry run as tasks: a tool of a server, and a skill that is fetched', async () => {
  const [hosts, server] = [await startSkillHosts(), await startMcpFake([])];
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
  await Promise.all([hosts.close(), server.close()]);
});
