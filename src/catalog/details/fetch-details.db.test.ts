import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remoteOf } from '#catalog/install/remote-of.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { smithery } from '#catalog/providers/smithery/provider.ts';
import { createSyncEngine, syncJob } from '#catalog/sync/engine.ts';
import { defined } from '#core/defined.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { startSmitheryFake } from '#test/fakes/providers/smithery.ts';
import { outbound } from '#test/sync-stand.ts';
import { detailsJob } from './fetch-details.ts';

const SERVERS = ['ann/tides', 'ann/keyed', 'ann/local', 'ann/gone'].map((qualifiedName, at) => ({
  qualifiedName,
  displayName: qualifiedName,
  namespace: 'ann',
  useCount: 100 - at,
  remote: true,
}));

const NO_CONFIG = { type: 'object', properties: {} };
const DETAILS = [
  {
    qualifiedName: 'ann/tides',
    remote: true,
    deploymentUrl: 'https://tides.example/mcp',
    connections: [{ type: 'http', deploymentUrl: 'https://tides.example/mcp', configSchema: NO_CONFIG }],
  },
  {
    qualifiedName: 'ann/keyed',
    remote: true,
    deploymentUrl: 'https://keyed.example/mcp',
    connections: [
      {
        type: 'http',
        deploymentUrl: 'https://keyed.example/mcp',
        configSchema: { required: ['apiKey'], properties: { apiKey: { type: 'string', description: 'Of Keyed.' } } },
      },
    ],
  },
  {
    qualifiedName: 'ann/local',
    remote: false,
    deploymentUrl: null,
    connections: [{ type: 'stdio', bundleUrl: 'https://b.example/l.mcpb', runtime: 'node', configSchema: NO_CONFIG }],
  },
];

const DAY_MS = 86_400_000;

async function openFixture(database: TestDatabase) {
  const { db } = database;
  const clock = { ms: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.ms };
  const fake = await startSmitheryFake({ records: { servers: SERVERS, skills: [], details: DETAILS } });
  const jobs = jobTable(database, clock);
  const engine = createSyncEngine({
    db,
    jobs,
    clock,
    log: createLog('silent'),
    fetch: outbound.fetch,
    blobs: testBlobs(),
    providers: [{ ...smithery, pace: { ...smithery.pace, interval_ms: 0 } }],
    retry: { retries: 2, base_ms: 1, max_wait_ms: 50, random: () => 1 },
    config: {
      providers: ['smithery'],
      urls: { smithery: fake.url },
      keys: {},
      interval_ms: 3_600_000,
      full_interval_ms: DAY_MS,
      public_url: 'http://127.0.0.1:8080',
      version: '0.1.0',
    },
  });
  const work = async (kind: string, payload?: unknown) => {
    await jobs.put({ kind, key: 'smithery', ...defined({ payload }) });
    const job = await jobs.claim([kind], 'test', 60_000);
    assert.ok(job);
    const fence = (trx: Parameters<typeof jobs.fence>[0]) => jobs.fence(trx, job);
    const done = await engine.kinds[kind]?.handler({ job, signal: new AbortController().signal, fence });
    await jobs.complete(job, null);
    return (done?.again_at_ms ?? 0) - clock.ms;
  };
  const row = async (external_id: string) => {
    const found = await findRow(db, { provider_id: 'smithery', external_id });
    assert.ok(found);
    return found;
  };
  return {
    db,
    clock,
    fake,
    engine,
    row,
    sync: () => work(syncJob('smithery'), { force: true, full: true }),
    round: () => work(detailsJob('smithery')),
    target: async (id: string) => {
      const { install } = await row(id);
      return remoteOf(install === null ? null : JSON.parse(install));
    },
    details: () => fake.requests.filter(({ url }) => /^\/servers\/./.test(url.pathname)),
    // One test closes the server early.
    [Symbol.asyncDispose]: () => fake.close().catch(() => {}),
  };
}

eachDatabase('details of a listing', (open) => {
  test('are fetched once when first needed, and survive a sync', async () => {
    await using fixture = await openFixture(await open());
    await fixture.sync();
    const listed = await fixture.row('ann/tides');
    assert.equal(listed.install, null, 'the list has no address');
    const both = await Promise.all([1, 2].map(() => fixture.engine.details.ensure(listed, 5_000)));
    for (const { install } of both) assert.match(install ?? '', /tides\.example/);
    assert.equal(fixture.details().length, 1);
    assert.equal(fixture.details()[0]?.url.pathname, '/servers/ann%2Ftides');
    assert.deepEqual(await fixture.target('ann/tides'), {
      url: 'https://tides.example/mcp',
      transport: 'streamable-http',
      headers: {},
    });
    const { seq } = await fixture.row('ann/tides');
    assert.ok(seq > listed.seq, 'followers of the change sequence see it');
    fixture.clock.ms += DAY_MS;
    await fixture.sync();
    assert.match((await fixture.row('ann/tides')).install ?? '', /tides\.example/);
    assert.equal((await fixture.row('ann/tides')).seq, seq, 'the sync changed nothing');
    await fixture.engine.details.ensure(await fixture.row('ann/tides'), 5_000);
    assert.equal(fixture.details().length, 1, 'fresh for a month');
  });

  test('are fetched by the background job, and revalidated with their ETag after a month', async () => {
    await using fixture = await openFixture(await open());
    await fixture.sync();
    assert.equal(await fixture.round(), 3_600_000, 'waits because nothing is left');
    assert.equal(fixture.details().length, SERVERS.length);
    const keyed = await fixture.target('ann/keyed');
    assert.deepEqual('reason' in keyed && keyed.reason, 'auth_needed');
    assert.match((await fixture.row('ann/keyed')).install ?? '', /keyed\.example\/mcp\?apiKey=\{apiKey\}/);
    const local = await fixture.target('ann/local');
    assert.match('reason' in local ? local.detail : '', /started from a package/);
    assert.equal((await fixture.row('ann/gone')).install, null, 'a 404 counts as a response');
    await fixture.round();
    assert.equal(fixture.details().length, SERVERS.length, 'nothing is due');
    fixture.clock.ms += 31 * DAY_MS;
    await fixture.round();
    const again = fixture.details().slice(SERVERS.length);
    assert.equal(again.length, SERVERS.length);
    assert.match(again.find(({ path }) => path.includes('tides'))?.headers['if-none-match'] ?? '', /^W\//);
    assert.match((await fixture.row('ann/tides')).install ?? '', /tides\.example/);
  });

  test('are retried 15 minutes after a failure, and the listing is returned without them', async () => {
    await using fixture = await openFixture(await open());
    await fixture.sync();
    await fixture.fake.close();
    const listed = await fixture.row('ann/tides');
    assert.equal((await fixture.engine.details.ensure(listed, 5_000)).install, null);
    const kept = await fixture.db.selectFrom('listing_details').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([kept.failures, kept.due_at], [1, new Date(fixture.clock.ms + 900_000).toISOString()]);
    assert.equal(await fixture.round(), 900_000, 'the round ends with the first failure');
  });

  test('are fetched only for servers of Smithery', async () => {
    await using fixture = await openFixture(await open());
    await fixture.sync();
    const listed = await fixture.row('ann/tides');
    for (const other of [{ listing_type: 'skill' }, { provider_id: 'glama' }])
      assert.equal((await fixture.engine.details.ensure({ ...listed, ...other }, 5_000)).install, null);
    assert.equal(fixture.details().length, 0);
  });
});
