import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import { dueAt, intervalOf, planRun, retryDelay, type SyncConfig } from './sync-plan.ts';
import type { SyncState } from './sync-states.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-05-01T12:00:00Z');
const config: SyncConfig = {
  providers: [],
  urls: {},
  keys: {},
  interval_ms: HOUR,
  full_interval_ms: 24 * HOUR,
  public_url: 'x',
  version: '1',
};
const providerOf = (id: string) => ALL_PROVIDERS.find((provider) => provider.id === id) ?? assert.fail(id);

const synced = {
  status: 'succeeded',
  mode: 'full',
  finished_at: '2026-05-01T11:30:00.000Z',
  started_at: '2026-05-01T11:29:00.000Z',
  last_full_at: '2026-05-01T11:30:00.000Z',
  watermark: '2026-05-01T11:00:00.000Z',
  cursor: null,
} as SyncState;
const plan = (id: string, state: Partial<SyncState>, nowMs = NOW, full = false) =>
  planRun(config, providerOf(id), { ...synced, ...state } as SyncState, nowMs, { full });

test('providers that need a thousand requests are synced once a day, others at the interval', () => {
  for (const id of ['mcp-registry', 'clawhub', 'docker', 'gemini-extensions', 'claude-plugins', 'skills-sh'])
    assert.equal(intervalOf(config, providerOf(id)), HOUR, id);
  for (const id of ['smithery', 'glama']) assert.equal(intervalOf(config, providerOf(id)), 24 * HOUR, id);
});

test('an interval under an hour applies to every provider', () => {
  for (const { id } of ALL_PROVIDERS)
    assert.equal(intervalOf({ ...config, interval_ms: 2_000 }, providerOf(id)), 2_000, id);
});

test('a sync is due after the interval, or at once if it never ran, failed or was interrupted', () => {
  assert.equal(dueAt(config, providerOf('docker'), synced), Date.parse('2026-05-01T12:30:00Z'));
  for (const status of ['never', 'failed', 'running'])
    assert.equal(dueAt(config, providerOf('docker'), { ...synced, status }), 0);
});

test('a run is incremental, except once a day, on request, and where the provider cannot', () => {
  assert.equal(plan('mcp-registry', {}).mode, 'incremental');
  assert.equal(plan('mcp-registry', {}, NOW + 24 * HOUR).mode, 'full');
  assert.equal(plan('mcp-registry', { watermark: null }).mode, 'full');
  assert.equal(plan('mcp-registry', {}, NOW, true).mode, 'full');
  assert.equal(plan('glama', {}).mode, 'full');
});

test('an interrupted run resumes at its cursor, unless the cursor is old or a full run was requested', () => {
  const cut = { status: 'running', run_id: 'r', cursor: 'page-7', mode: 'incremental' };
  assert.equal(plan('mcp-registry', cut).cursor, 'page-7');
  assert.equal(plan('mcp-registry', cut).run_id, 'r');
  assert.equal(plan('mcp-registry', cut, NOW + 7 * HOUR).cursor, null);
  assert.equal(plan('mcp-registry', cut, NOW, true).cursor, null);
});

test('retry delays double, stay under the interval and respect Retry-After', () => {
  assert.equal(retryDelay(HOUR, 0, 0), 30_000);
  assert.equal(retryDelay(HOUR, 3, 0), 240_000);
  assert.equal(retryDelay(2_000, 5, 0), 2_000);
  assert.equal(retryDelay(HOUR, 0, 600_000), 600_000);
});
