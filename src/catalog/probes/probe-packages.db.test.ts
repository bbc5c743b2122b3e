import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '#catalog/items/item.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { PackagedFacts, PackagedOrder } from '#core/mcp/packaged-servers.ts';
import type { McpAnswer, McpSession } from '#core/mcp/session.ts';
import { NONE_LEFT_OUT } from '#core/mcp/tool-listing.ts';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/listings.ts';
import { probesFixture } from '#test/probes-fixture.ts';
import type { StartPackages } from './probe-package.ts';
import { countTools } from './read-probes.ts';

/** Which packages are started when, and what is kept of it. The packages themselves are in probe-packages.e2e.test.ts. */

const FACTS: PackagedFacts = {
  purl: 'pkg:npm/x@1.0.0',
  lock_sha256: 'a'.repeat(64),
  tree_sha256: 'b'.repeat(64),
  size_bytes: 1_234_567,
  isolation: 'bwrap+seccomp',
  granted: [],
  hosts: [],
  cpu_ms: 1,
  memory_bytes: 1,
  processes: 1,
};
const refusedHost = { port: 443, outcome: 'refused', connections: 1, bytes_in: 0, bytes_out: 0 } as const;

/** Answers as the boxes would, and records what was ordered. */
function starter() {
  const orders: PackagedOrder[] = [];
  const outcomes: Record<string, Partial<PackagedFacts> & { answer?: McpAnswer<never>; problem?: Problem }> = {};
  const through: StartPackages['through'] = async (order, work) => {
    orders.push(order);
    const { problem, answer, ...facts } = outcomes[order.target.package.identifier] ?? {};
    if (problem !== undefined) throw problem;
    order.on_step?.({ step: 'starting', bytes: 0 });
    const session: McpSession = {
      protocol_version: '2025-11-25',
      transport: 'stdio',
      server: { name: 'fake', version: '1' },
      unchanged: () => null,
      listTools: async () => ({
        tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
        left_out: NONE_LEFT_OUT,
      }),
      callTool: () => Promise.reject(new Error('no tool is called')),
      listResources: async () => ({ resources: [], templates: [] }),
      readResource: async () => null,
      listPrompts: async () => [],
      getPrompt: async () => null,
    };
    return { answer: answer ?? { ok: true, value: await work(session) }, facts: { ...FACTS, ...facts } };
  };
  return { orders, outcomes, through, names: () => orders.map(({ target }) => target.package.identifier) };
}

const failed = (reason: 'start_failed' | 'wants_network', detail: string): McpAnswer<never> => ({
  ok: false,
  failure: { reason, detail, code: null, status: null, challenge: null, guard: null, is_stale: false },
});

const packaged = (identifier: string, more: object = {}) => ({
  registry_type: 'npm',
  identifier,
  version: '1.0.0',
  transport: 'stdio',
  ...more,
});

const server = (provider: ProviderId, id: string, pkg: object, more: Partial<Listing> = {}) =>
  listing(provider, id, {
    listing_type: 'server',
    execution_class: 'mcp',
    install: { packages: [pkg], remotes: [] },
    ...more,
  });

eachDatabase('packages of listings', (open) => {
  const opened = async (packages = {}) => {
    const servers = starter();
    return { servers, fixture: await probesFixture(await open(), { servers, packages }) };
  };

  test('are started at the set pace, alternating between providers, the most downloaded first', async () => {
    const { servers, fixture } = await opened({ packages_per_day: 2 });
    const many = ['few', 'some', 'most'].map((id, index) =>
      server('smithery', id, packaged(id), { downloads: index * 10 }),
    );
    await fixture.change(many);
    await fixture.change([server('docker', 'one', packaged('one'))], [], 'docker');
    await fixture.schedule();
    await fixture.work();
    assert.equal(servers.orders.length, 1, 'one every twelve hours');
    // As a plan that finds new packages does, or a process that starts.
    await fixture.jobs.put({ kind: 'probes.package', key: 'slot-1' });
    await Promise.all([fixture.work('one'), fixture.work('two')]);
    assert.equal(servers.orders.length, 1);
    for (let turn = 0; turn < 6; turn++) {
      fixture.pass(0.5);
      await Promise.all([fixture.work('one'), fixture.work('two')]);
    }
    const names = servers.names();
    assert.deepEqual(names.toSorted(), ['few', 'most', 'one', 'some'], 'each once');
    assert.ok(names.indexOf('one') <= 1, 'a long queue of another provider does not delay it');
    assert.deepEqual(
      names.filter((name) => name !== 'one'),
      ['most', 'some', 'few'],
    );
  });

  test('are started without values, secrets or hosts, and their tools are stored', async () => {
    const { servers, fixture } = await opened();
    servers.outcomes.keyed = { hosts: [{ ...refusedHost, host: 'api.example.com', reason: 'not_granted' }] };
    const env = [
      { name: 'KEY', required: true, secret: true },
      { name: 'UNITS', default: 'metres' },
    ];
    await fixture.change([server('smithery', 'keyed', packaged('keyed', { env }))]);
    await fixture.change([server('smithery', 'plain', packaged('plain'))]);
    const before = await fixture.read('plain');
    assert.deepEqual([before.runnable.reason, before.runnable.checked_at, before.tools], ['startable', null, null]);
    assert.match(before.runnable.detail, /has not been tried here yet/);
    await fixture.schedule();
    await fixture.work();
    fixture.pass(0.1);
    await fixture.work();
    for (const { target, kept, expendable } of servers.orders) {
      assert.deepEqual([target.hosts, target.secrets, kept, expendable], [[], [], null, true]);
      assert.ok(!('KEY' in target.env));
    }
    const { runnable, tools } = await fixture.read('plain');
    assert.deepEqual([runnable.reason, runnable.tool_count, runnable.protocol_version], ['ok', 1, '2025-11-25']);
    assert.match(runnable.checked_at ?? '', /^2026-03-01T/);
    const { start_ms, ...facts } = runnable.package ?? { start_ms: null };
    assert.ok(start_ms !== null && start_ms >= 0);
    assert.deepEqual(facts, {
      purl: 'pkg:npm/x@1.0.0',
      size_bytes: 1_234_567,
      isolation: 'bwrap+seccomp',
      wanted_hosts: [],
    });
    assert.deepEqual(
      tools?.map(({ name }) => name),
      ['look'],
    );
    const keyed = await fixture.read('keyed');
    assert.equal(keyed.runnable.reason, 'missing_env', 'its values are still required');
    assert.match(keyed.runnable.detail, /requires KEY\. It starts and lists its tools without them\.$/);
    assert.deepEqual(keyed.runnable.package?.wanted_hosts, ['api.example.com']);
    assert.equal(await countTools(fixture.db, null), 2);
  });

  test('have a reason and a next step on failure, and an unreachable registry fails none of them', async () => {
    const { servers, fixture } = await opened();
    const hosts = [{ ...refusedHost, host: 'api.example.com', reason: 'not_granted' as const }];
    servers.outcomes.ends = { answer: failed('start_failed', 'the program ended with exit code 3') };
    servers.outcomes.online = { hosts, answer: failed('wants_network', 'the server asked for api.example.com') };
    servers.outcomes.absent = { problem: new Problem('not_found', 'packages.not_found', 'absent does not exist.') };
    const unreachable = (detail: string) =>
      new Problem('upstream_failed', 'packages.failed', detail, { reason: 'registry_unavailable' });
    servers.outcomes.away = { problem: unreachable('The registry is away.') };
    servers.outcomes.bundle = { problem: unreachable('The host is away.') };
    const ids = Object.keys(servers.outcomes);
    const more = (id: string) => (id === 'bundle' ? { registry_type: 'mcpb' } : {});
    await fixture.change(ids.map((id) => server('smithery', id, packaged(id, more(id)))));
    await fixture.schedule();
    for (const _ of ids) {
      await fixture.work();
      fixture.pass(0.01);
    }
    const seen = async (id: string) => (await fixture.read(id)).runnable;
    const ends = await seen('ends');
    assert.equal(ends.reason, 'failed');
    assert.match(ends.detail, /^The program ended with exit code 3\. .*Next: connect to it with the values and hosts/);
    const online = await seen('online');
    assert.deepEqual([online.reason, online.package?.wanted_hosts], ['wants_network', ['api.example.com']]);
    assert.match(online.detail, /Next: connect to it and grant these hosts\.$/);
    assert.deepEqual(
      [(await seen('absent')).reason, (await seen('absent')).detail],
      ['failed', 'absent does not exist.'],
    );
    assert.deepEqual([(await seen('away')).reason, (await seen('away')).checked_at], ['startable', null]);
    const tries = () => servers.names().filter((name) => name === 'away').length;
    for (let hour = 0; hour < 12; hour++) {
      fixture.pass(1 / 24);
      await fixture.work();
    }
    assert.equal(tries(), 3, 'less and less often: at once, after 2 hours and after 4 more');
    delete servers.outcomes.away;
    fixture.pass(1);
    await fixture.work();
    assert.equal((await seen('away')).reason, 'ok');
    assert.deepEqual(
      [(await seen('bundle')).reason, (await seen('bundle')).detail],
      ['failed', 'The host is away.'],
      'the host of a bundle is part of its listing',
    );
  });

  test('are started again in a new version, and results of the old one are deleted', async () => {
    const { servers, fixture } = await opened();
    await fixture.change([server('smithery', 'a', packaged('a'))]);
    await fixture.schedule();
    await fixture.work();
    fixture.pass(10);
    await fixture.work();
    assert.equal(servers.orders.length, 1, 'a fixed version stays what it is');
    await fixture.change([server('smithery', 'a', packaged('a', { version: '2.0.0' }))]);
    assert.equal((await fixture.read('a')).runnable.reason, 'startable');
    await fixture.jobs.put({ kind: 'probes.plan', key: 'plan' });
    fixture.pass(0.1);
    await fixture.work();
    fixture.pass(0.1);
    await fixture.work();
    assert.deepEqual(
      servers.orders.map(({ target }) => target.package.version),
      ['1.0.0', '2.0.0'],
    );
    assert.equal((await fixture.db.selectFrom('probe_targets').select('id').execute()).length, 1);
    fixture.pass(24);
    await fixture.work();
    assert.equal(servers.orders.length, 2);
    fixture.pass(2);
    await fixture.work();
    assert.equal(servers.orders.length, 3, 'before its tools lapse');
  });

  test('that were listed long before are planned once a service begins to run packages', async () => {
    const database = await open();
    const without = await probesFixture(database);
    await without.change([server('smithery', 'a', packaged('a'))]);
    await without.schedule();
    await without.work();
    assert.equal((await without.read('a')).runnable.reason, 'unsupported');
    const servers = starter();
    const fixture = await probesFixture(database, { servers });
    fixture.pass(1);
    await fixture.schedule();
    await fixture.work();
    fixture.pass(0.1);
    await fixture.work();
    assert.deepEqual(servers.names(), ['a']);
    assert.equal((await fixture.read('a')).runnable.reason, 'ok');
  });
});
