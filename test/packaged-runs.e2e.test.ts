import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { accountsOf } from './accounts.ts';
import { FREE, LAUNCH, packagedFixture, saved } from './packaged-stand.ts';
import { noPackagesHere, onHost } from './packages/runtime.ts';
import { npmCliHere } from './packages/store.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** Packaged servers that anyone may run: tasks over HTTP, with steps, receipts and cancellation, in the whole service. */

const skip = await noPackagesHere();
const fixture = await packagedFixture();
const world = await openWorld(
  {
    CAPSTAN_NPM_REGISTRY: fixture.registry.url,
    CAPSTAN_NPM_CLI: npmCliHere() ?? '',
    CAPSTAN_RUNTIME_START_TIMEOUT: '20s',
  },
  'serve',
  undefined,
  undefined,
  { install: onHost },
);
after(() => world.close());
const { token } = await (await accountsOf(world)).signUp();

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await world.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, ...(text.startsWith('{') ? JSON.parse(text) : { text }) };
}

const capability = (externalId: string) => ({ kind: 'listing', ref: `mcp-registry/${externalId}` });
const ENDED = ['completed', 'failed', 'cancelled', 'rejected'];

async function started(externalId: string, input: unknown): Promise<string> {
  const made = await ask('POST', '/api/agents/tasks', { capability: capability(externalId), input });
  assert.ok(made.id !== undefined, JSON.stringify(made));
  await ask('POST', `/api/agents/tasks/${made.id}/start`);
  return made.id;
}

async function ended(id: string) {
  await until(`an end of ${id}`, async () => ENDED.includes((await ask('GET', `/api/agents/tasks/${id}`)).status));
  return ask('GET', `/api/agents/tasks/${id}`);
}

const metrics = async () => (await world.fetch('/metrics')).text();

const run = async (externalId: string, input: unknown) => ended(await started(externalId, input));

async function stepsOf(id: string) {
  const { text } = await ask('GET', `/api/agents/tasks/${id}/events`);
  return [...text.matchAll(/^event: step\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data).step);
}

test('a run without a tool prepares the package, streams its steps and lists the tools', { skip }, async () => {
  await saved(world.database, 'com.example/probe', FREE);
  const detail = await ask('GET', '/api/marketplace/registry/mcp-registry/com.example%2Fprobe');
  assert.deepEqual(
    [detail.runnable.reason, detail.runnable.detail],
    [
      'startable',
      'The server is started from its npm package for each run. It was not tried: packages are not probed on this service.',
    ],
  );
  const id = await started('com.example/probe', {});
  const listed = await ended(id);
  assert.equal(listed.status, 'completed', JSON.stringify(listed.error));
  assert.deepEqual(
    listed.output.tools.map(({ name }: { name: string }) => name),
    ['about', 'fetch', 'slow', 'die'],
  );
  assert.deepEqual(await stepsOf(id), ['queued', 'resolving', 'fetching', 'checking', 'storing', 'starting']);
});

test('each tool call runs in a separate box, and the receipt names the package and its isolation', {
  skip,
}, async () => {
  const [one, two] = await Promise.all([1, 2].map(() => run('com.example/probe', { tool: 'about' })));
  assert.deepEqual([one.status, two.status], ['completed', 'completed'], JSON.stringify([one.error, two.error]));
  assert.deepEqual(one.output.args, ['serve']);
  assert.notEqual(one.output.now, two.output.now);
  const bundle = await ask('GET', `/api/receipts/${one.receipt_id}`);
  const payload = JSON.parse(Buffer.from(bundle.dsse.payload, 'base64').toString());
  const { environment, package: ran } = payload.predicate;
  assert.equal(ran.purl, 'pkg:npm/probe@1.2.3');
  assert.match(`${ran.lock_sha256} ${ran.tree_sha256}`, /^[0-9a-f]{64} [0-9a-f]{64}$/);
  assert.match(environment.isolation, /^bwrap/);
  assert.equal(environment.network, 'none');
  const trace = await ask('GET', `/api/agents/tasks/${one.id}/trace`);
  assert.match(JSON.stringify(trace), /capstan\.package\.tree/);
});

test('a server that exits fails the task, and an unknown tool is rejected as invalid input', { skip }, async () => {
  const reasons = async (input: unknown) => {
    const { status, status_reason } = await run('com.example/probe', input);
    return [status, status_reason];
  };
  assert.deepEqual(await reasons({ tool: 'die' }), ['failed', 'server_failed']);
  const refused = await ask('POST', '/api/agents/tasks', {
    capability: capability('com.example/probe'),
    input: { tool: 'nothing' },
  });
  assert.deepEqual([refused.code, refused.reason], ['runs.input_invalid', 'input_unfit'], 'the tools are known by now');
});

test('the receipt lists a host that was refused', { skip }, async () => {
  const { status, output, receipt_id } = await run('com.example/probe', {
    tool: 'fetch',
    arguments: { host: 'api.example.com' },
  });
  assert.deepEqual([status, output], ['completed', 'ENOTFOUND']);
  const bundle = await ask('GET', `/api/receipts/${receipt_id}`);
  const payload = JSON.parse(Buffer.from(bundle.dsse.payload, 'base64').toString());
  const [first] = payload.predicate.environment.hosts.refused;
  assert.deepEqual([first.host, first.reason], ['api.example.com', 'not_granted']);
});

test('cancelling a task while its package is being prepared ends it and its box', { skip }, async () => {
  fixture.publish('cancelled', '#!/usr/bin/env node\nsetInterval(() => {}, 1_000);');
  await saved(world.database, 'com.example/cancelled', { ...FREE, identifier: 'cancelled' });
  const id = await started('com.example/cancelled', {});
  await until('its box runs', async () => /^capstan_runtime_boxes 1$/m.test(await metrics()));
  await ask('PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
  assert.equal((await ended(id)).status, 'cancelled');
  await until('no box runs', async () => /^capstan_runtime_boxes 0$/m.test(await metrics()));
});

test('a package that needs values, does not exist or is unsupported is rejected with the reason', {
  skip,
}, async () => {
  await saved(world.database, 'com.example/keyed', LAUNCH);
  const keyed = await ask('GET', '/api/marketplace/registry/mcp-registry/com.example%2Fkeyed');
  assert.equal(keyed.runnable.reason, 'missing_env');
  assert.match(keyed.runnable.detail, /requires API_KEY/);
  const refused = await run('com.example/keyed', {});
  assert.deepEqual([refused.status, refused.status_reason], ['rejected', 'missing_env']);
  assert.match(refused.error.detail, /POST \/api\/sessions\/connections/);
  await saved(world.database, 'com.example/none', { ...FREE, identifier: 'no-such-package' });
  const none = await run('com.example/none', {});
  assert.deepEqual([none.status, none.status_reason], ['rejected', 'not_found']);
  await saved(world.database, 'com.example/nuget', { ...FREE, registry_type: 'nuget' });
  const nuget = await ask('GET', '/api/marketplace/registry/mcp-registry/com.example%2Fnuget');
  assert.deepEqual([nuget.runnable.reason, /nuget/i.test(nuget.runnable.detail)], ['unsupported', true]);
});
