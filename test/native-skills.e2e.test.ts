import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { nextSeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { defined } from '#core/defined.ts';
import { removeTree } from '#runtime/packages/tree-store.ts';
import { followTask } from '#surfaces/a2a/turn-tasks.ts';
import { accountsOf } from './accounts.ts';
import { zipOf } from './fakes/archives.ts';
import { startSkillHosts } from './fakes/skill-hosts.ts';
import { listing } from './listings.ts';
import { openNpmRegistry } from './packages/npm-registry.ts';
import { noPackagesHere, onHost } from './packages/runtime.ts';
import { npmCliHere } from './packages/store.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** Scripted skills that need packages, values, secrets and hosts, in the whole service with real boxes. */

const skip = await noPackagesHere();
const registry = await openNpmRegistry();
const tone = (version: string) => ({ version, files: [{ path: 'index.js', text: `module.exports = '${version}';` }] });
registry.publish('tone', tone('1.0.0'));
const hosts = await startSkillHosts();
const world = await openWorld(
  {
    CAPSTAN_NPM_REGISTRY: registry.url,
    CAPSTAN_NPM_CLI: npmCliHere() ?? '',
    CAPSTAN_PROVIDER_CLAWHUB_URL: hosts.url,
  },
  'serve',
  undefined,
  undefined,
  { install: onHost },
);
after(async () => {
  await world.close();
  await registry.close();
  await hosts.close();
});
const accounts = await accountsOf(world);
const account = await accounts.signUp();
const SECRET = 'tides-secret-value-5821';

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<any> {
  const answer = await world.fetch(path, {
    method,
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', ...headers },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { http: answer.status, text, ...(text.startsWith('{') ? JSON.parse(text) : {}) };
}

async function published(slug: string, files: Record<string, string>): Promise<string> {
  hosts.answers.set(`/api/v1/skills/${slug}`, { json: { skill: { slug }, owner: { handle: 'ana' } } });
  hosts.answers.set(
    `/api/v1/download?slug=${slug}&version=1.0.0`,
    zipOf(Object.entries(files).map(([name, body]) => ({ name, body }))),
  );
  const install = { type: 'clawhub-skill', owner: 'ana', slug };
  const record = listing('clawhub', `ana/${slug}`, {
    name: slug,
    version: '1.0.0',
    listing_type: 'skill',
    execution_class: 'scripted',
    install,
  });
  await world.database.db
    .transaction()
    .execute((trx) =>
      saveListings(trx, 'clawhub', [record], { run: 'r', now: '2026-01-01T00:00:00.000Z', seq: () => nextSeq(trx) }),
    );
  return `clawhub/ana/${slug}`;
}

const md = (name: string, metadata: object = {}) =>
  `---\nname: ${name}\ndescription: About ${name}.\nmetadata: ${JSON.stringify({ openclaw: metadata })}\n---\nRun it.\n`;
const TASKS = '/api/agents/tasks';
const grantsOf = (slug: string) => `/api/agents/skills/clawhub/ana%2F${slug}/grants`;

async function start(ref: string, more: object = {}): Promise<string> {
  const made = await ask('POST', TASKS, { capability: { kind: 'listing', ref }, input: null, ...more });
  assert.equal(made.http, 201, made.text);
  assert.equal((await ask('POST', `${TASKS}/${made.id}/start`)).http, 202);
  return made.id;
}

async function stopped(id: string) {
  await until(`an end of ${id}`, async () => (await ask('GET', `${TASKS}/${id}`)).status !== 'working');
  return ask('GET', `${TASKS}/${id}`);
}

async function answered(id: string, input: unknown) {
  assert.equal((await ask('PUT', `${TASKS}/${id}`, { input })).http, 200);
  assert.equal((await ask('POST', `${TASKS}/${id}/start`)).http, 202);
  return stopped(id);
}

test('a task asks once for packages and values, and later tasks use the locked versions', {
  skip,
}, async () => {
  const ref = await published('chimes', {
    'SKILL.md': md('chimes', { requires: { env: ['REGION'] } }),
    'package.json': JSON.stringify({ dependencies: { tone: '^1.0.0' } }),
    'scripts/run.js': "console.log(JSON.stringify([require('tone'), process.env.REGION]));",
  });
  const id = await start(ref);
  const asking = await stopped(id);
  assert.deepEqual([asking.status, asking.status_reason], ['input_required', 'needs_install'], asking.text);
  assert.deepEqual(asking.question, {
    packages: [{ ecosystem: 'npm', name: 'tone', wanted: '^1.0.0', from: 'package.json' }],
    environment: [{ name: 'REGION', secret: false }],
  });
  assert.match(asking.error.detail, /tone@\^1\.0\.0 \(npm, package\.json\).*REGION/s);
  assert.equal(asking.receipt_id, null);
  const wrong = await ask('PUT', `${TASKS}/${id}`, { input: { install: 'maybe' } });
  assert.deepEqual([wrong.http, wrong.errors[0].pointer], [422, '/input/install']);
  const ran = await answered(id, { install: true, environment: { REGION: 'eu' } });
  assert.deepEqual([ran.status, ran.output, ran.question], ['completed', ['1.0.0', 'eu'], null], ran.text);
  const grants = await ask('GET', grantsOf('chimes'));
  assert.deepEqual([grants.install, grants.locks.length, grants.needs.environment[0].stored], [true, 1, false]);

  registry.publish('tone', tone('1.0.0'), tone('1.5.0'));
  removeTree(join(world.data_dir, 'packages'));
  const again = await stopped(await start(ref, { environment: { REGION: 'us' } }));
  assert.deepEqual([again.status, again.output], ['completed', ['1.0.0', 'us']], again.text);
  // Accepting again forgets the lock.
  const renewed = await ask('PUT', grantsOf('chimes'), { install: true });
  assert.deepEqual([renewed.http, renewed.locks], [200, []]);
});

test('a task whose question is declined is rejected, with the reason', { skip }, async () => {
  const ref = await published('bells', {
    'SKILL.md': md('bells'),
    'package.json': JSON.stringify({ dependencies: { tone: '*' } }),
    'scripts/run.js': 'require("tone")',
  });
  const id = await start(ref);
  assert.equal((await stopped(id)).status, 'input_required');
  const declined = await ask('PUT', `${TASKS}/${id}`, { input: { install: false } });
  assert.deepEqual([declined.status, declined.status_reason], ['rejected', 'declined']);
  assert.match(declined.error.detail, /You declined.*tone/s);
  assert.equal((await ask('POST', `${TASKS}/${id}/start`)).http, 409);
});

test('secrets and hosts of a skill reach only its box, and secrets are masked everywhere', { skip }, async () => {
  const ref = await published('tides', {
    'SKILL.md': md('tides', { requires: { env: ['TIDES_API_KEY'] } }),
    'scripts/run.js': `
      const { TIDES_API_KEY: key, UNITS } = process.env;
      require('fs').writeFileSync('/workspace/output/said.txt', key);
      console.error('key ' + key);
      fetch('https://api.tides.example/?' + key).catch(() => {}).then(() => console.log(JSON.stringify([key.length, key, UNITS])));`,
  });
  const refused = await stopped(await start(ref));
  assert.deepEqual(refused.question, { packages: [], environment: [{ name: 'TIDES_API_KEY', secret: true }] });
  const withRun = await ask('POST', TASKS, {
    capability: { kind: 'listing', ref },
    environment: { TIDES_API_KEY: SECRET },
  });
  assert.deepEqual([withRun.http, withRun.reason], [422, 'environment']);
  assert.ok(!withRun.text.includes(SECRET));
  const secrets = { secrets: { TIDES_API_KEY: SECRET } };
  assert.equal((await ask('PUT', `${grantsOf('tides')}/secrets`, secrets)).http, 401);
  const place = `PUT ${grantsOf('tides')}/secrets`;
  const stored = await ask('PUT', `${grantsOf('tides')}/secrets`, secrets, await account.stepUp(place));
  assert.deepEqual([stored.http, stored.secrets], [200, ['TIDES_API_KEY']], stored.text);
  assert.equal((await ask('PUT', grantsOf('tides'), { environment: { UNITS: 'metres' } })).http, 200);

  // The task that asked can be started once the secret is there.
  await ask('POST', `${TASKS}/${refused.id}/start`);
  const ran = await stopped(refused.id);
  assert.deepEqual([ran.status, ran.output], ['completed', [SECRET.length, '[redacted]', 'metres']], ran.text);
  const file = Buffer.from(ran.output_files[0].content_base64, 'base64').toString();
  assert.equal(file, '[redacted]');
  const { proposed_hosts } = await ask('GET', grantsOf('tides'));
  assert.deepEqual(proposed_hosts, ['api.tides.example']);
  const trace = await ask('GET', `${TASKS}/${ran.id}/trace`);
  assert.match(trace.text, /refused api\.tides\.example \(not_granted\)/);

  const hostsAt = `${grantsOf('tides')}/hosts`;
  const { digest } = await ask('GET', grantsOf('tides'));
  assert.equal((await ask('PUT', hostsAt, { hosts: ['API.tides.example'], digest })).http, 401, 'needs a signature');
  const grant = async (body: Record<string, unknown>, signed = body) =>
    ask('PUT', hostsAt, body, await account.stepUp(`PUT ${hostsAt}`, account.wallet, signed));
  const other = await grant({ hosts: ['api.tides.example'], digest }, { hosts: ['api.waves.example'] });
  assert.deepEqual([other.http, other.reason], [401, 'purpose'], 'signed for another host');
  const bad = await grant({ hosts: ['169.254.169.254'], digest });
  assert.deepEqual([bad.http, bad.errors[0].pointer], [422, '/hosts/0']);
  const granted = await grant({ hosts: ['API.tides.example'], digest });
  assert.deepEqual([granted.hosts, granted.proposed_hosts], [['api.tides.example'], []]);
  const allowed = await stopped(await start(ref));
  const receipt = await ask('GET', `/api/receipts/${allowed.receipt_id}`);
  const { predicate } = JSON.parse(Buffer.from(receipt.dsse.payload, 'base64').toString());
  assert.deepEqual(
    [predicate.environment.network, predicate.environment.isolation.slice(0, 6)],
    ['allow_list', 'native'],
  );
  assert.match(JSON.stringify(predicate.environment.hosts), /unresolvable|api\.tides\.example/);

  const places = [
    await ask('GET', `${TASKS}/${ran.id}/events`),
    await ask('GET', `${TASKS}/${allowed.id}`),
    trace,
    receipt,
    await ask('GET', grantsOf('tides')),
  ];
  for (const { text } of places) assert.ok(!text.includes(SECRET), text.slice(0, 500));
  const rows = await world.database.db.selectFrom('skill_secrets').selectAll().execute();
  assert.ok(rows.length === 1 && !JSON.stringify(rows).includes(SECRET));

  const stranger = await accounts.signUp();
  const theirs = await ask('GET', grantsOf('tides'), undefined, { authorization: `Bearer ${stranger.token}` });
  assert.deepEqual([theirs.secrets, theirs.hosts, theirs.environment], [[], [], {}]);
  assert.equal((await ask('DELETE', grantsOf('tides'))).http, 200);
  assert.deepEqual((await ask('GET', grantsOf('tides'))).secrets, []);
  assert.equal((await world.database.db.selectFrom('skill_secrets').selectAll().execute()).length, 0);
});

test('pages ask for what a skill needs, store its secrets after a signature, and run it', { skip }, async () => {
  const ref = await published('waves', {
    'SKILL.md': md('waves', { requires: { env: ['WAVES_TOKEN', 'REGION'] } }),
    'package.json': JSON.stringify({ dependencies: { tone: '^1.0.0' } }),
    'scripts/run.js': "console.log([require('tone'), process.env.REGION, process.env.WAVES_TOKEN.length].join())",
  });
  const cookie = `capstan-token=${account.token}`;
  const headers = { host: 'localhost:8080', 'sec-fetch-site': 'same-origin', accept: 'text/html', cookie };
  const open = async (path: string) => (await world.fetch(path, { headers })).text();
  const send = async (path: string, fields: Record<string, string>) => {
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await world.fetch(path, { method: 'POST', headers: form, body: `${new URLSearchParams(fields)}` });
    return { status: answer.status, location: answer.headers.get('location') ?? '', html: await answer.text() };
  };
  const page = '/dashboard/skills/clawhub/ana/waves';
  const form = await open(`/runs/new?ref=listing/${ref}`);
  assert.match(form, /name="install".*name="env\.REGION"/s);
  assert.ok(form.includes(`href="${page}"`) && !form.includes('env.WAVES_TOKEN'));

  const begun = await send(`/runs/new?ref=listing/${ref}`, { json: 'null', key: 'waves-1' });
  const id = begun.location.split('/').at(-1) ?? '';
  assert.equal((await stopped(id)).status, 'input_required');
  assert.match(await open(`/runs/${id}`), /needs your permission.*tone.*name="decline"/s);

  const { 'x-challenge-id': challenge = '', 'x-wallet-signature': signature = '' } = await account.stepUp(
    `PUT ${grantsOf('waves')}/secrets`,
  );
  assert.match(await open(page), /data-operation="runtime.grants.storeSecrets" data-target="[^"]+waves/);
  const signed = { 'step.challenge_id': challenge, 'step.signature': signature };
  const now = /name="digest" value="([^"]+)"/.exec(await open(page))?.[1] ?? '';
  const saved = await send(page, { do: 'secrets', 'secret.WAVES_TOKEN': SECRET, digest: now, ...signed });
  assert.equal(saved.location, `${page}?done=credentials_stored`, saved.html.slice(0, 2_000));
  const shown = await open(page);
  assert.match(shown, /data-operation="runtime.grants.replaceHosts" data-target="[^"]+waves/);
  const digest = /name="digest" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const named = { hosts: ['api.waves.example'] };
  const again = await account.stepUp(`PUT ${grantsOf('waves')}/hosts`, account.wallet, named);
  const confirmed = {
    'step.challenge_id': again['x-challenge-id'] ?? '',
    'step.signature': again['x-wallet-signature'] ?? '',
  };
  const values = await send(page, { do: 'hosts', hosts: 'api.waves.example', digest, ...confirmed });
  assert.equal(values.location, `${page}?done=skill_saved`);
  const settings = await open(page);
  assert.ok(settings.includes('WAVES_TOKEN') && settings.includes('api.waves.example') && !settings.includes(SECRET));

  await send(`/runs/${id}`, { do: 'grant', install: 'yes', 'env.REGION': 'eu' });
  const ran = await stopped(id);
  assert.deepEqual([ran.status, ran.output], ['completed', `1.5.0,eu,${SECRET.length}\n`], ran.text);
  assert.doesNotMatch(await open(`/runs/new?ref=listing/${ref}`), /name="install"/);
  const changed = await send(page, { do: 'values', 'env.REGION': '', name: 'HARBOUR', value: 'Husum' });
  assert.equal(changed.location, `${page}?done=skill_saved`);
  assert.match(await open(page), /name="env\.REGION" value=""[\s\S]*name="env\.HARBOUR" value="Husum"/);
  assert.equal((await send(page, { do: 'install', install: 'no' })).location, `${page}?done=skill_saved`);
  assert.match(await open(page), /A run asks you before it installs them\./);
});

test('a skill that was published here asks for its packages, and a new version with more of them asks again', {
  skip,
}, async () => {
  const declared = JSON.stringify({ openclaw: JSON.stringify({ requires: { env: ['REGION'] } }) });
  const publish = async (version: string, script: string) => {
    const files = [
      {
        path: 'SKILL.md',
        content: `---\nname: drums\ndescription: About drums.\nmetadata: ${declared}\n---\nRun it.\n`,
      },
      { path: 'package.json', content: JSON.stringify({ dependencies: { tone: version } }) },
      { path: 'scripts/run.js', content: script },
    ];
    const made = await ask('POST', '/api/marketplace/listings', {
      name: 'drum-maker/drums',
      version,
      license: 'MIT',
      files,
    });
    assert.equal(made.http, 201, made.text);
    return made.id as string;
  };
  const script = "console.log([require('tone'), process.env.REGION, process.env.DRUMS_TOKEN ?? 'no token'].join());";
  const listing = await publish('1.0.0', script);
  const grants = `/api/agents/skills/capstan/${listing}/grants`;
  const run = (more: object = {}) => start(listing, { capability: { kind: 'capability', ref: listing }, ...more });

  const asking = await stopped(await run());
  assert.deepEqual(
    [asking.status, asking.question?.packages[0]?.name, asking.question?.environment],
    ['input_required', 'tone', [{ name: 'REGION', secret: false }]],
    asking.text,
  );
  const ran = await answered(asking.id, { install: true, environment: { REGION: 'eu' } });
  assert.deepEqual([ran.status, ran.output], ['completed', '1.0.0,eu,no token\n'], ran.text);
  const statement = await ask('GET', `/api/receipts/${ran.receipt_id}`);
  assert.match(Buffer.from(statement.dsse.payload, 'base64').toString(), /"isolation":"native\+bwrap/);

  const secrets = { secrets: { DRUMS_TOKEN: SECRET } };
  const stored = await ask('PUT', `${grants}/secrets`, secrets, await account.stepUp(`PUT ${grants}/secrets`));
  assert.equal(stored.http, 200, stored.text);
  const again = await stopped(await run({ environment: { REGION: 'us' } }));
  assert.deepEqual([again.status, again.output], ['completed', '1.0.0,us,[redacted]\n'], again.text);

  registry.publish('tone', tone('1.6.0'));
  await publish('1.6.0', script);
  const grown = await stopped(await run({ environment: { REGION: 'us' } }));
  assert.deepEqual([grown.status, grown.status_reason], ['input_required', 'needs_install'], grown.text);
  // The packages alone do not give the new version the secret of the old one.
  const withheld = await answered(grown.id, { install: true });
  assert.deepEqual(
    [withheld.status, withheld.question],
    ['input_required', { packages: [], environment: [{ name: 'DRUMS_TOKEN', secret: true }] }],
    withheld.text,
  );
  const seen = (await ask('GET', grants)).digest;
  const agree = async (digest: string) =>
    ask(
      'PUT',
      `${grants}/hosts`,
      { hosts: [], digest },
      await account.stepUp(`PUT ${grants}/hosts`, account.wallet, { hosts: [] }),
    );
  const stale = await agree(`sha256:${'0'.repeat(64)}`);
  assert.deepEqual([stale.http, stale.code, stale.digest], [409, 'runs.conflict', seen], stale.text);
  assert.equal((await agree(seen)).http, 200);
  await ask('POST', `${TASKS}/${grown.id}/start`);
  const agreed = await stopped(grown.id);
  assert.deepEqual([agreed.status, agreed.output], ['completed', '1.6.0,us,[redacted]\n'], agreed.text);
  const other = await accounts.signUp();
  const theirs = await ask('GET', grants, undefined, { authorization: `Bearer ${other.token}` });
  assert.deepEqual([theirs.secrets, theirs.install, theirs.external_id], [[], false, listing]);
});

test('a rig asks for what its skills need, and continues after the answer', { skip }, async () => {
  const ref = await published('gongs', {
    'SKILL.md': md('gongs', { requires: { env: ['REGION'] } }),
    'scripts/run.js': 'console.log(JSON.stringify({ region: process.env.REGION, other: process.env.OTHER ?? null }))',
  });
  const yaml = `apiVersion: registry/v1
kind: Rig
metadata: { name: gongs, version: "1.0.0", description: Gongs. }
spec:
  skills: [{ ref: listing/${ref}, digest: "" }]
  prompt: Ring.
`;
  const made = await ask('POST', '/api/rigs', { yaml });
  assert.equal(made.http, 201, made.text);
  const resolved = await ask('POST', `/api/rigs/${made.id}/resolve`);
  assert.equal(resolved.http, 200, resolved.text);
  const { id, text } = await ask('POST', `/api/rigs/${made.id}/run`, { input: {} });
  assert.ok(id, text);
  const asking = await stopped(id);
  assert.deepEqual(
    [asking.status, asking.question?.environment],
    ['input_required', [{ name: 'REGION', secret: false }]],
  );
  const ran = await answered(id, { environment: { REGION: 'eu', OTHER: 'kept away' } });
  assert.deepEqual([ran.status, ran.output], ['completed', { region: 'eu', other: null }], ran.text);
});

/** The official client, over the app in process. Without answers, its person cannot be asked. */
async function mcpClient(answers: Record<string, unknown>[] | null) {
  const forms: string[][] = [];
  const capabilities = answers === null ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } });
  if (answers !== null)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      forms.push(Object.keys('requestedSchema' in params ? params.requestedSchema.properties : {}));
      return { action: 'accept', content: answers.shift() as never };
    });
  const inProcess: typeof fetch = (input, init) => {
    const { pathname } = new URL(`${input}`);
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${account.token}` };
    return world.fetch(pathname, { ...init, headers } as never);
  };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp/jsonrpc'), { fetch: inProcess }),
  );
  const start = (id: string, more: object = {}) =>
    client.callTool({ name: 'task_start', arguments: { id, wait_ms: 60_000, ...more } });
  return { forms, start, close: () => client.close() };
}

test('an MCP client asks its person to accept packages and values; a model alone is refused', { skip }, async () => {
  const ref = await published('triangles', {
    'SKILL.md': md('triangles', { requires: { env: ['REGION'] } }),
    'package.json': JSON.stringify({ dependencies: { tone: '^1.0.0' } }),
    'scripts/run.js': "console.log([require('tone'), process.env.REGION].join());",
  });
  const id = await start(ref);
  assert.equal((await stopped(id)).status, 'input_required');
  const alone = await mcpClient(null);
  const refused = await alone.start(id, { input: { install: true, environment: { REGION: 'eu' } } });
  assert.match(JSON.stringify(refused.content), /Only its owner can answer this.*\/runs\//);
  assert.equal((await ask('GET', `${TASKS}/${id}`)).status, 'input_required');
  await alone.close();
  const asked = await mcpClient([{ install: true, REGION: 'eu' }]);
  // What the model sends is not taken in place of the person's answer.
  const ran = await asked.start(id, { input: { install: true, environment: { REGION: 'us' } } });
  const { status, output } = ran.structuredContent as { status: string; output: string };
  assert.deepEqual([asked.forms, status], [[['REGION', 'install']], 'completed'], JSON.stringify(ran));
  assert.match(output, /,eu\n$/);
  await asked.close();
});

test('an A2A client accepts the packages of a task that asks for them', { skip }, async () => {
  const ref = await published('cymbals', {
    'SKILL.md': md('cymbals', { requires: { env: ['REGION'] } }),
    'package.json': JSON.stringify({ dependencies: { tone: '^1.0.0' } }),
    'scripts/run.js': "console.log([require('tone'), process.env.REGION].join());",
  });
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${account.token}` };
    return world.fetch(new URL(`${input}`).pathname, { ...init, headers } as never);
  };
  const card = await (await world.fetch('/.well-known/agent-card.json')).json();
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const client = await new ClientFactory({ transports }).createFromAgentCard(card as never);
  const send = async (content: Part['content'], taskId = '') => {
    const parts = [{ content, mediaType: '', filename: '', metadata: undefined }];
    const named = { messageId: `${taskId}-${content?.$case}`, contextId: '', taskId, role: Role.ROLE_USER, parts };
    const message = { ...named, metadata: undefined, extensions: [], referenceTaskIds: [] };
    return (await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined })) as Task;
  };
  const turn = await send({ $case: 'text', value: 'what can json-diff do?' });
  const id = await start(ref);
  assert.equal((await stopped(id)).status, 'input_required');
  await followTask(world.database.db, turn.id, id);
  const asking = await client.getTask({ tenant: '', id: turn.id });
  assert.equal(asking.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  assert.match(JSON.stringify(asking.status?.message), /tone@.*REGION/);
  await send({ $case: 'data', value: { install: true, environment: { REGION: 'eu' } } }, turn.id);
  const ran = await stopped(id);
  assert.deepEqual([ran.status, `${ran.output}`.endsWith(',eu\n')], ['completed', true], ran.text);
  assert.match(JSON.stringify((await client.getTask({ tenant: '', id: turn.id })).artifacts), /,eu/);
});
