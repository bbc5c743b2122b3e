import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { accountsOf } from './accounts.ts';
import { startLlm } from './fakes/llm.ts';
import { FREE, LAUNCH, packagedFixture, SERVER, saved } from './packaged-stand.ts';
import { bundleOf, openBundleServer } from './packages/bundles.ts';
import { noPackagesHere, onHost } from './packages/runtime.ts';
import { npmCliHere } from './packages/store.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/**
 * Packaged servers in the whole service: runs that anyone may start, with steps, receipts and cancellation; then the chat, a
 * harness, a rig and an MCP client, which all reach them by the same seam.
 */

const skip = await noPackagesHere();
const fixture = await packagedFixture();
const llm = await startLlm();
const world = await openWorld(
  {
    CAPSTAN_NPM_REGISTRY: fixture.registry.url,
    CAPSTAN_NPM_CLI: npmCliHere() ?? '',
    CAPSTAN_RUNTIME_START_TIMEOUT: '20s',
    CAPSTAN_LLM_URL: llm.url,
    CAPSTAN_LLM_MODELS: 'fake-1',
    CAPSTAN_LLM_MODEL: 'compatible/fake-1',
  },
  'serve',
  undefined,
  undefined,
  { install: onHost },
);
after(async () => {
  await world.close();
  await llm.close();
});
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
    ['about', 'fetch', 'slow', 'ask', 'die'],
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
  const env = [{ name: 'UNITS', value: 'yards' }];
  await saved(world.database, 'com.example/not-seen', { ...FREE, env });
  const first = await run('com.example/not-seen', { tool: 'abuot' });
  assert.equal(first.status_reason, 'tool_unknown', JSON.stringify(first.error));
  assert.match(first.error.detail, /no tool "abuot"\. It has: .*about/);
});

test('a run that lacks a value asks for it, and takes it with the answer or with the task', { skip }, async () => {
  const env = [{ name: 'UNITS', required: true, choices: ['metres', 'feet'] }];
  await saved(world.database, 'com.example/units', { ...FREE, env });
  const order = { capability: capability('com.example/units'), input: { tool: 'about' } };
  const id = await started('com.example/units', order.input);
  const asking = await until('a question', async () => {
    const task = await ask('GET', `/api/agents/tasks/${id}`);
    return task.status === 'input_required' && task;
  });
  assert.deepEqual(
    [asking.status_reason, asking.question],
    ['missing_env', { packages: [], environment: [{ name: 'UNITS', secret: false }] }],
  );
  const answer = async (environment: object) => {
    await ask('PUT', `/api/agents/tasks/${id}`, { input: { environment } });
    await ask('POST', `/api/agents/tasks/${id}/start`);
  };
  await answer({ UNITS: 'miles' });
  const again = await until('another question', async () => {
    const task = await ask('GET', `/api/agents/tasks/${id}`);
    return /one of metres, feet/.test(task.error?.detail) && task;
  });
  assert.deepEqual([again.status, again.question], ['input_required', asking.question]);
  await answer({ UNITS: 'feet' });
  const answered = await ended(id);
  assert.deepEqual([answered.status, answered.output?.units], ['completed', 'feet'], JSON.stringify(answered.error));
  const given = await ask('POST', '/api/agents/tasks', { ...order, environment: { UNITS: 'metres' } });
  assert.equal(given.capability.digest, answered.capability.digest, 'values are no part of what runs');
  await ask('POST', `/api/agents/tasks/${given.id}/start`);
  assert.equal((await ended(given.id)).output.units, 'metres');
  for (const [environment, pointer] of [
    [{ UNITS: 'miles' }, '/environment/UNITS'],
    [{ DEPTH: '3' }, '/environment/DEPTH'],
  ] as const) {
    const refused = await ask('POST', '/api/agents/tasks', { ...order, environment });
    assert.deepEqual([refused.status, refused.code, refused.errors[0].pointer], [422, 'runs.input_invalid', pointer]);
  }
});

test('a run of a bundle names each missing setting and how to give it, and takes those that are not secret', {
  skip,
}, async () => {
  const bundles = await openBundleServer();
  const setting = (more: object = {}) => ({ type: 'string', required: true, title: 'Units', ...more });
  const declared = async (name: string, user_config: object) => {
    const mcp_config = {
      command: 'node',
      args: [`\${__dirname}/server/index.js`],
      env: { UNITS: `\${user_config.units}` },
    };
    const bytes = bundleOf({
      server: { type: 'node', entry_point: 'server/index.js', mcp_config },
      files: [{ path: 'server/index.js', bytes: SERVER }],
      more: { user_config },
    });
    bundles.served.set(`/${name}.mcpb`, bytes);
    const file_sha256 = createHash('sha256').update(bytes).digest('hex');
    const more = { registry_type: 'mcpb', identifier: `${bundles.origin}/${name}.mcpb`, version: '', file_sha256 };
    await saved(world.database, `com.example/${name}`, { ...FREE, ...more, package_arguments: [], env: [] });
  };
  try {
    await declared('plain-settings', { units: setting(), depth: setting({ title: 'Depth' }) });
    const without = await run('com.example/plain-settings', { tool: 'about' });
    assert.deepEqual([without.status, without.status_reason], ['rejected', 'missing_env']);
    assert.match(without.error.detail, /requires "?units"?, "?depth"?\..*Connect.*environment/);
    const order = { capability: capability('com.example/plain-settings'), input: { tool: 'about' } };
    const environment = { units: 'feet', depth: '3' };
    const given = await ask('POST', '/api/agents/tasks', { ...order, environment });
    await ask('POST', `/api/agents/tasks/${given.id}/start`);
    const ran = await ended(given.id);
    assert.deepEqual([ran.status, ran.output?.units], ['completed', 'feet'], JSON.stringify(ran.error));
    await declared('secret-settings', { token: setting({ sensitive: true }) });
    const secret = await run('com.example/secret-settings', { tool: 'about' });
    assert.match(secret.error.detail, /token"? \(a secret\)/);
  } finally {
    await bundles.close();
  }
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

const CONNECTIONS = '/api/sessions/connections';
let connection: Promise<string> | undefined;

/** One of the account's own, for all that follows. */
function connected(): Promise<string> {
  connection ??= ask('POST', CONNECTIONS, {
    listing: { provider: 'mcp-registry', external_id: 'com.example/probe' },
  }).then((made) => {
    assert.equal(made.status, 'ready', JSON.stringify(made));
    return made.id;
  });
  return connection;
}

/** The model makes this call, then answers with the text. Returns the result of the call as the model received it. */
function modelCalls(name: string, input: object, text: string): () => string {
  const first = llm.requests.length;
  llm.turn = (_, number) => (number === first ? { tool_calls: [{ name, input }] } : { text });
  return () => llm.requests.at(-1)?.body.messages.at(-1).content;
}

async function traced(id: string): Promise<string> {
  const { spans } = await ask('GET', `/api/agents/tasks/${id}/trace`);
  const span = spans.find(({ name }: { name: string }) => name === 'tools/call about');
  return span.attributes['capstan.package.purl'];
}

test('the chat calls a tool of a package through a connection', { skip }, async () => {
  const id = await connected();
  const told = modelCalls('connection_call', { id, tool: 'about' }, 'It serves.');
  const turn = await ask('POST', '/api/agents/core-agent/chat', {
    message: `Call the tool about of my connection ${id}.`,
    model: 'compatible/fake-1',
  });
  assert.equal(turn.message, 'It serves.', JSON.stringify(turn));
  assert.deepEqual(
    turn.steps.map(({ tool, error }: { tool: string; error: unknown }) => [tool, error]),
    [['connection_call', null]],
  );
  assert.match(told(), /"about" of the server "Probe" answered.*\n<server_answer>\n.*"args":\["serve"\]/);
});

test('a published harness reaches a package by the connection that its caller names', { skip }, async () => {
  const about = 'name: probe-desk\ndescription: Answers questions about the probe. Use it for those.';
  const yaml = 'version: "1"\nkind: harness\nmcp-servers: { probe: { ref: mcp-registry/com.example/probe } }\n';
  const files = [
    { path: 'HARNESS.md', content: `---\n${about}\n---\n\n# Desk\n\nCall about.\n` },
    { path: 'harness.yaml', content: yaml },
  ];
  const order = { name: 'ada-lang/probe-desk', version: '1.0.0', license: 'MIT', files };
  const published = await ask('POST', '/api/marketplace/listings', order);
  assert.equal(published.published, true, JSON.stringify(published));
  const told = modelCalls('probe__about', {}, 'It serves.');
  const made = await ask('POST', '/api/agents/tasks', {
    capability: { kind: 'capability', ref: 'ada-lang/probe-desk' },
    input: { prompt: 'Ask it.', connections: { probe: await connected() } },
  });
  await ask('POST', `/api/agents/tasks/${made.id}/start`);
  const task = await ended(made.id);
  assert.deepEqual([task.status, task.output], ['completed', 'It serves.'], JSON.stringify(task));
  assert.match(told(), /"args":\["serve"\]/);
  assert.equal(await traced(task.id), 'pkg:npm/probe@1.2.3');
});

test('a rig locks the tools of a package, by its listing or by a connection, and calls them', { skip }, async () => {
  const ways = {
    'by-listing': { ref: 'listing/mcp-registry/com.example/probe' },
    'by-connection': { connection: await connected() },
  };
  for (const [name, server] of Object.entries(ways)) {
    const spec = {
      servers: [{ name: 'probe', digest: '', ...server, tools: { allow: ['about'] } }],
      parameters: { type: 'object' },
      prompt: 'Ask the probe.',
      model: { prefer: ['compatible/fake-1'], require: ['llm'] },
    };
    const yaml = JSON.stringify({ apiVersion: 'registry/v1', kind: 'Rig', metadata: { name, version: '1.0.0' }, spec });
    await ask('POST', '/api/rigs', { yaml });
    const locked = await ask('POST', `/api/rigs/${name}/resolve`, {});
    assert.match(locked.content, /"name": "about"/, JSON.stringify(locked));
    const told = modelCalls('probe__about', {}, '{"answer":"It serves."}');
    const begun = await ask('POST', `/api/rigs/${name}/run`, { input: {} });
    const task = await ended(begun.id);
    assert.deepEqual([task.status, task.output], ['completed', { answer: 'It serves.' }], JSON.stringify(task));
    assert.match(told(), /"args":\["serve"\]/);
    assert.equal(await traced(task.id), 'pkg:npm/probe@1.2.3');
  }
});

test('an MCP client runs a package as its listing suggests, and calls a tool of a connection', { skip }, async () => {
  const call = async (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const { result } = await ask('POST', '/mcp/jsonrpc', body);
    return { text: result.content[0].text, structured: result.structuredContent };
  };
  const shown = await call('registry_get_listing', { provider: 'mcp-registry', external_id: 'com.example/probe' });
  const { next } = shown.structured;
  assert.deepEqual(next, {
    tool: 'task_create',
    arguments: { capability: capability('com.example/probe'), input: {} },
  });
  assert.match(shown.text, /then task_start \(both need a token\)\. Without a tool, the run lists them\./);
  const created = await call(next.tool, next.arguments);
  const made = created.structured;
  assert.ok(made?.next, created.text);
  const listed = await call(made.next.tool, made.next.arguments);
  assert.match(listed.text, /is completed/, listed.text);
  assert.match(listed.text, /"name": "about"/);
  const called = await call('connection_call', { id: await connected(), tool: 'about' });
  assert.match(called.text, /<server_answer>\n.*"args":\["serve"\]/);
});
