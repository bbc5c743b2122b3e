import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema } from '#core/http/validate.ts';
import { openWorld } from '#test/world.ts';
import { Stats } from './contract.ts';
import { describeStats } from './describe-stats.ts';
import { PROVIDERS } from './kinds.ts';
import { readStats } from './read-stats.ts';

const COUNTS = [
  { provider: 'docker', listing_type: 'server', execution_class: 'mcp', count: 3 },
  { provider: 'clawhub', listing_type: 'skill', execution_class: 'prompt', count: 2 },
  { provider: 'clawhub', listing_type: 'skill', execution_class: 'scripted', count: 1 },
];
const STATES = [
  { provider_id: 'docker', status: 'succeeded', last_success_at: '2026-01-01T00:00:00.000Z' },
  { provider_id: 'clawhub', status: 'failed', last_success_at: '2026-01-02T00:00:00.000Z' },
];

test('200: totals by provider, type and class, with the state of each sync', () => {
  const stats = describeStats({ total_count: 6, counts: COUNTS }, STATES, PROVIDERS, null);
  assert.deepEqual(compileSchema(Stats)(stats), []);
  assert.equal(stats.total_count, 6);
  assert.deepEqual(stats.by_listing_type, { skill: 3, server: 3, harness: 0, rig: 0 });
  assert.deepEqual(stats.by_execution_class, { prompt: 2, scripted: 1, mcp: 3 });
  assert.deepEqual(
    stats.by_provider.find((providerStats) => providerStats.provider === 'clawhub'),
    {
      provider: 'clawhub',
      count: 3,
      by_listing_type: { skill: 3, server: 0, harness: 0, rig: 0 },
      by_execution_class: { prompt: 2, scripted: 1, mcp: 0 },
      last_synced_at: '2026-01-02T00:00:00.000Z',
      status: 'failed',
      coverage: null,
    },
  );
  assert.equal(stats.updated_at, '2026-01-02T00:00:00.000Z');
});

test('200: all eight providers are listed, also before the first sync', () => {
  const stats = describeStats({ total_count: 0, counts: [] }, [], PROVIDERS, null);
  assert.equal(stats.by_provider.length, 8);
  assert.ok(
    stats.by_provider.every(
      (providerStats) =>
        providerStats.status === 'never' && providerStats.last_synced_at === null && providerStats.count === 0,
    ),
  );
  assert.equal(stats.updated_at, null);
});

test('200: an excluded provider is disabled, like its sync status', () => {
  const running = { provider_id: 'glama', status: 'running', last_success_at: null };
  const { by_provider } = describeStats({ total_count: 0, counts: [] }, [...STATES, running], ['clawhub'], null);
  const status = Object.fromEntries(by_provider.map((providerStats) => [providerStats.provider, providerStats.status]));
  assert.deepEqual(
    [status.clawhub, status.docker, status.smithery, status.glama],
    ['failed', 'disabled', 'disabled', 'running'],
  );
});

test('200: the running service returns statistics that match the schema', async () => {
  await using world = await openWorld();
  await world.catalog.ready;
  const answer = await world.fetch('/api/marketplace/registry/stats');
  assert.equal(answer.status, 200);
  assert.deepEqual(compileSchema(Stats)(await answer.json()), []);
});

test('503: the index is still being built', async () => {
  const catalog = { isReady: false, stats: () => assert.fail() };
  await assert.rejects(readStats({ catalog, db: null as never, enabled: PROVIDERS, readCoverage: async () => null }), {
    code: 'http.unavailable',
    reason: 'index',
  });
});
