import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { PackagedOrder, PackageStep } from '#core/mcp/packaged-servers.ts';
import type { McpSession } from '#core/mcp/session.ts';
import { stdioProgram } from '#test/fakes/stdio-server.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { noPackagesHere, openTestServers, runtimeFixture } from '#test/packages/runtime.ts';
import { until } from '#test/until.ts';
import type { PackagedConfig } from './open-packaged-servers.ts';

/** Packages of a loopback registry that are prepared, started in real boxes, kept and ended. */

const skip = await noPackagesHere();
const registry = await openNpmRegistry();
after(() => registry.close());

const bin = { bin: 'server.js' };
const publish = (name: string, source: string) =>
  registry.publish(name, {
    version: '1.0.0',
    manifest: bin,
    files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${source}` }],
  });
publish('clock', stdioProgram());
publish('shy', stdioProgram("console.error('no key'); if (process.env.KEY !== 'open sesame') process.exit(3);"));
/** One package that fails in each way, so that it is installed once. Without a way it is a clock. */
publish(
  'failing',
  `
    const write = (text) => { try { require('fs').writeSync(1, text); } catch {} };
    const say = (text) => { console.error(text); process.exit(1); };
    const line = 'x'.repeat(1_048_576);
    const kept = [];
    const ways = {
      online: () => fetch('https://api.example.com/v1').catch(() => process.exit(1)),
      silent: () => setInterval(() => {}, 1_000),
      noisy: () => { for (;;) write('not MCP\\n'.repeat(100)); },
      endless: () => { for (;;) write(line); },
      hungry: () => { for (;;) kept.push(Buffer.alloc(16 * 1_048_576, 1)); },
      starved: () => say('RangeError: Array buffer allocation failed'),
      gone: () => process.exit(0),
      thrown: () => { throw new TypeError('no REGION was given'); },
      rejected: () => { Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: new Error('no route') })); setInterval(() => {}, 1_000); },
      window: () => say('Error: cannot open display: '),
      browser: () => say("browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium-1/chrome"),
    };
    const { WAY } = process.env;
    if (WAY !== undefined) ways[WAY]();
    else {${stdioProgram()}}`,
);
publish('gone', 'process.exit(0);');

/** One store for all tests of the file: packages are prepared once. */
const fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
after(() => fixture[Symbol.asyncDispose]());

const openServers = (settings: Partial<PackagedConfig> = {}) => openTestServers(fixture, settings);

const LIMITS = { timeout_ms: 30_000, max_bytes: 4_000_000 };
const source = (identifier: string, version = '1.0.0') => ({
  registry_type: 'npm',
  identifier,
  version,
  file_sha256: '',
  registry_base_url: '',
});

interface Wanted {
  env?: Record<string, string>;
  secrets?: string[];
  hosts?: string[];
  kept?: { id: string; version: string } | null;
  user?: string;
  signal?: AbortSignal;
  on_step?: (step: PackageStep) => void;
}

const order = (identifier: string, wanted: Wanted = {}): PackagedOrder => ({
  target: {
    transport: 'stdio',
    package: source(identifier),
    arguments: [],
    env: wanted.env ?? {},
    secrets: wanted.secrets ?? [],
    hosts: wanted.hosts ?? [],
  },
  kept: wanted.kept == null ? null : { ...wanted.kept, on_tools_changed: () => {} },
  share: { user_id: wanted.user ?? 'ana', address: null },
  limits: LIMITS,
  signal: wanted.signal ?? null,
  on_step: wanted.on_step,
});

async function callNow({ listTools, callTool }: McpSession) {
  const [tool] = (await listTools()).tools;
  assert.ok(tool !== undefined);
  const { content } = await callTool({ tool, arguments: {} });
  return content[0]?.type === 'text' ? content[0].text : '';
}

const counts = async ({ servers }: ReturnType<typeof openServers>) => (await servers.status()).counts;
const nothingRuns = (of: ReturnType<typeof openServers>) =>
  until('no box runs', async () => (await counts(of)).boxes === 0);

test('reports each step while it prepares and starts a package, and does not fetch it again', {
  skip,
}, async () => {
  await using of = openServers();
  const steps: string[] = [];
  const on_step = ({ step }: PackageStep) => void (steps.at(-1) === step || steps.push(step));
  const first = await of.servers.through(order('clock', { on_step }), callNow);
  assert.deepEqual(first.answer, { ok: true, value: 'noon' });
  assert.deepEqual(steps, ['queued', 'resolving', 'fetching', 'checking', 'storing', 'starting']);
  assert.equal(first.facts.purl, 'pkg:npm/clock@1.0.0');
  assert.match(`${first.facts.lock_sha256} ${first.facts.tree_sha256}`, /^[0-9a-f]{64} [0-9a-f]{64}$/);
  assert.match(first.facts.isolation, /^bwrap/);
  const asked = registry.requests.length;
  steps.length = 0;
  await of.servers.through(order('clock', { on_step }), callNow);
  assert.deepEqual(steps, ['starting']);
  assert.equal(registry.requests.length, asked, 'no registry is asked again');
  await nothingRuns(of);
});

test('reuses one box per connection, and never shares a process between connections', { skip }, async () => {
  await using of = openServers();
  const ana = { id: 'connection of ana', version: '1' };
  const bob = { id: 'connection of bob', version: '1' };
  await Promise.all([1, 2, 3].map(() => of.servers.through(order('clock', { kept: ana }), callNow)));
  assert.equal((await counts(of)).boxes, 1);
  await of.servers.through(order('clock', { kept: bob, user: 'bob' }), callNow);
  assert.equal((await counts(of)).boxes, 2);
  assert.deepEqual((await of.servers.status()).by_user.map(({ user, boxes }) => `${user} ${boxes}`).sort(), [
    'user:ana 1',
    'user:bob 1',
  ]);
  assert.equal((await counts(of)).started, 2, 'every call but the first of each met a box that ran');
});

test('a new version of the credentials gets a new box, and the old box ends', { skip }, async () => {
  await using of = openServers();
  const at = (version: string) => order('clock', { kept: { id: 'x', version } });
  await of.servers.through(at('1'), callNow);
  await of.servers.through(at('2'), callNow);
  await until('the old box has ended', async () => (await counts(of)).boxes === 1);
  of.servers.forget('x');
  await nothingRuns(of);
});

test('ends a box after its idle time, and starts a new one for the next call', { skip }, async () => {
  await using of = openServers({ runtime_idle_ms: 50 });
  await of.servers.through(order('clock', { kept: { id: 'x', version: '1' } }), callNow);
  await nothingRuns(of);
  const again = await of.servers.through(order('clock', { kept: { id: 'x', version: '1' } }), callNow);
  assert.deepEqual(again.answer, { ok: true, value: 'noon' });
});

test('ends the least recently used idle box when all places are taken', { skip }, async () => {
  await using of = openServers({ runtime_boxes: 2 });
  const kept = (id: string) => order('clock', { kept: { id, version: '1' }, user: id });
  for (const id of ['a', 'b', 'a', 'c'])
    assert.deepEqual((await of.servers.through(kept(id), callNow)).answer, { ok: true, value: 'noon' });
  assert.equal((await counts(of)).boxes, 2);
  const { by_user } = await of.servers.status();
  assert.deepEqual(by_user.map(({ user }) => user).sort(), ['user:a', 'user:c']);
});

test('limits the boxes per user without ending idle boxes of other users', { skip }, async () => {
  await using of = openServers({ runtime_boxes_per_user: 1 });
  await of.servers.through(order('clock', { kept: { id: 'b1', version: '1' }, user: 'bob' }), callNow);
  await of.servers.through(order('clock', { kept: { id: 'a1', version: '1' }, user: 'ana' }), callNow);
  await of.servers.through(order('clock', { kept: { id: 'a2', version: '1' }, user: 'ana' }), callNow);
  const { by_user } = await of.servers.status();
  assert.deepEqual(by_user.map(({ user, boxes }) => `${user} ${boxes}`).sort(), ['user:ana 1', 'user:bob 1']);
});

test('replaces a crashed box at the next call', { skip }, async () => {
  await using of = openServers();
  const kept = { id: 'x', version: '1' };
  const died = await of.servers.through(order('clock', { kept }), async ({ listTools, callTool }) => {
    const tool = (await listTools()).tools.find(({ name }) => name === 'die');
    return callTool({ tool: tool as never, arguments: {} });
  });
  assert.ok(!died.answer.ok);
  assert.equal(died.answer.failure.reason, 'broken');
  assert.match(died.answer.failure.detail, /7/);
  assert.ok((await of.servers.through(order('clock', { kept }), callNow)).answer.ok);
});

test('passes a secret to the server, but not to command lines or error messages', { skip }, async () => {
  await using of = openServers();
  const env = { KEY: 'open sesame' };
  const kept = { id: 'x', version: '1' };
  const opened = await of.servers.through(order('shy', { env, secrets: [env.KEY], kept }), callNow);
  assert.deepEqual(opened.answer, { ok: true, value: 'noon' });
  assert.doesNotMatch(commandLines(), /open sesame/);
  const wrong = { KEY: 'wrong sesame' };
  const refused = await of.servers.through(order('shy', { env: wrong, secrets: [wrong.KEY] }), callNow);
  assert.ok(!refused.answer.ok);
  assert.equal(refused.answer.failure.reason, 'start_failed');
  assert.match(refused.answer.failure.detail, /no key/);
  assert.doesNotMatch(JSON.stringify(refused), /sesame/);
});

test('gives each kind of failure its reason, and leaves no box running', { skip }, async () => {
  await using of = openServers({ runtime_memory_mb: 192 });
  await using impatient = openServers({ runtime_start_ms: 500 });
  const failed = async (WAY: string, { servers } = of) => {
    const { answer, facts } = await servers.through(order('failing', { env: { WAY } }), callNow);
    assert.ok(!answer.ok, WAY);
    return { ...answer.failure, hosts: facts.hosts.map(({ host, outcome }) => `${outcome} ${host}`) };
  };
  const online = await failed('online');
  assert.equal(online.reason, 'wants_network', online.detail);
  assert.match(online.detail, /asked for api\.example\.com, which it may not reach/);
  assert.deepEqual(online.hosts, ['refused api.example.com']);
  for (const [way, reason, detail] of [
    ['gone', 'start_failed', /exited with code 0/],
    ['thrown', 'start_failed', /last line was "TypeError: no REGION was given"/],
    ['rejected', 'start_failed', /last line was "[^"]*TypeError: fetch failed/],
    ['noisy', 'not_mcp', /lines that are not MCP messages/],
    ['endless', 'not_mcp', /a message of more than/],
    ['hungry', 'out_of_memory', /memory/],
    ['starved', 'out_of_memory', /ran out of memory: "RangeError: Array buffer allocation failed"/],
    ['window', 'wants_display', /needs a browser or a display.*cannot open display/],
    ['browser', 'wants_display', /needs a browser or a display.*Executable doesn't exist/],
  ] as const) {
    const failure = await failed(way);
    assert.equal(failure.reason, reason, `${way}: ${failure.detail}`);
    assert.match(failure.detail, detail);
  }
  assert.equal((await failed('silent', impatient)).reason, 'timed_out');
  await nothingRuns(of);
  await nothingRuns(impatient);
});

test('canceling an order throws its reason, and ends the box after its last caller', { skip }, async () => {
  await using of = openServers();
  const cancelled = new AbortController();
  const reason = new Error('changed my mind');
  const on_step = ({ step }: PackageStep) => step === 'starting' && cancelled.abort(reason);
  const kept = { id: 'x', version: '1' };
  await assert.rejects(
    of.servers.through(order('clock', { kept, signal: cancelled.signal, on_step }), callNow),
    reason,
  );
  await nothingRuns(of);
});

test('canceling a preparation leaves no process, and the package can be prepared again', { skip }, async () => {
  publish('cancelled', stdioProgram());
  await using of = openServers();
  const cancelled = new AbortController();
  const on_step = ({ step }: PackageStep) => step === 'fetching' && cancelled.abort(new Error('enough'));
  await assert.rejects(
    of.servers.through(order('cancelled', { signal: cancelled.signal, on_step }), callNow),
    /enough/,
  );
  await nothingRuns(of);
  assert.ok((await of.servers.through(order('cancelled'), callNow)).answer.ok, 'and it can be prepared afterwards');
});

test('an unavailable package causes an error with a specific code', { skip }, async () => {
  await using of = openServers();
  await assert.rejects(of.servers.through(order('no-such-package'), callNow), { code: 'packages.not_found' });
  const nuget = order('x');
  const target = { ...nuget.target, package: { ...nuget.target.package, registry_type: 'nuget' } };
  await assert.rejects(of.servers.through({ ...nuget, target }, callNow), {
    code: 'packages.unsupported',
    reason: 'ecosystem',
  });
  assert.match(of.servers.refusal({ package: target.package, transport: 'stdio' }) ?? '', /nuget packages cannot/i);
  const image = { ...target.package, registry_type: 'oci' };
  assert.match(of.servers.refusal({ package: image, transport: 'sse' }) ?? '', /CAPSTAN_OCI_REGISTRIES/);
  assert.equal(of.servers.refusal({ package: source('x'), transport: 'stdio' }), null);
});

test('starts nothing when the runtime is off or below the minimum isolation, and gives the reason', async () => {
  await using off = openServers({ runtime: 'off' });
  assert.match(off.servers.refusal({ package: source('x'), transport: 'stdio' }) ?? '', /CAPSTAN_RUNTIME=off/);
  await using pods = openServers({ runtime: 'kubernetes' });
  const image = Object.assign(source('x'), { registry_type: 'oci' });
  assert.match(pods.servers.refusal({ package: image, transport: 'stdio' }) ?? '', /CAPSTAN_KUBERNETES_EMPTY_IMAGE/);
  await assert.rejects(off.servers.through(order('clock'), callNow), {
    code: 'packages.unsupported',
    reason: 'ecosystem',
  });
  await using weak = openServers({ runtime_min: 'kubernetes' });
  await assert.rejects(weak.servers.through(order('clock'), callNow), {
    code: 'runs.unavailable',
    reason: 'box_unavailable',
  });
  assert.match(
    weak.servers.refusal({ package: source('x'), transport: 'stdio' }) ?? '',
    /CAPSTAN_RUNTIME_MIN|bubblewrap/,
  );
  assert.notEqual((await weak.servers.status()).refusal, null);
});

test('counts boxes, starts by outcome, and memory as metrics', { skip }, async () => {
  await using of = openServers();
  await of.servers.through(order('clock', { kept: { id: 'x', version: '1' } }), callNow);
  await of.servers.through(order('gone'), callNow);
  const text = await of.metrics.registry.metrics();
  assert.match(text, /capstan_runtime_boxes 1\n/);
  assert.match(text, /capstan_runtime_start_seconds_count\{outcome="ok"\} 1\n/);
  assert.match(text, /capstan_runtime_start_seconds_count\{outcome="start_failed"\} 1\n/);
  assert.match(text, /capstan_runtime_memory_bytes [1-9]/);
});

/** The command lines of all processes on this machine. */
function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}
