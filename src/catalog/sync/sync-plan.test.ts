import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDER_DOORS } from '#catalog/providers/all.ts';
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
const door = (id: string) => PROVIDER_DOORS.find((providerDoor) => providerDoor.id === id) ?? assert.fail(id);

const synced = {
  status: 'succeeded',
  mode: 'full',
  finished_at: '2026-05-01T11:30:00.000Z',
  started_at: '2026-05-01T11:29:00.000Z',
  last_full_at: '2026-05-01T11:30:00.000Z',
  watermark: '2026-05-01T11:00:00.000Z',
  cursor: null,
} as SyncState;
const plan = (id: string, state: Partial<SyncState>, now_ms = NOW, full = false) =>
  planRun(config, door(id), { ...synced, ...state } as SyncState, now_ms, { full });

test('what takes a thousand requests is walked once a day, the rest at the interval', () => {
  for (const id of ['mcp-registry', 'clawhub', 'docker', 'gemini-extensions', 'claude-plugins', 'skills-sh'])
    assert.equal(intervalOf(config, door(id)), HOUR, id);
  for (const id of ['smithery', 'glama']) assert.equal(intervalOf(config, door(id)), 24 * HOUR, id);
});

test('an interval under an hour holds for every provider', () => {
  for (const { id } of PROVIDER_DOORS) assert.equal(intervalOf({ ...config, interval_ms: 2_000 }, door(id)), 2_000, id);
});

test('due when the last run is older than the interval; at once when it never ran, failed or was cut off', () => {
  assert.equal(dueAt(config, door('docker'), synced), Date.parse('2026-05-01T12:30:00Z'));
  for (const status of ['never', 'failed', 'running'])
    assert.equal(dueAt(config, door('docker'), { ...synced, status }), 0);
});

test('changes only between whole walks; a whole one a day, when ordered, and where changes cannot be asked for', () => {
  assert.equal(plan('mcp-registry', {}).mode, 'incremental');
  assert.equal(plan('mcp-registry', {}, NOW + 24 * HOUR).mode, 'full');
  assert.equal(plan('mcp-registry', { watermark: null }).mode, 'full');
  assert.equal(plan('mcp-registry', {}, NOW, true).mode, 'full');
  assert.equal(plan('glama', {}).mode, 'full');
});

test('a run that was cut off goes on from its cursor, unless that is old or something else was ordered', () => {
  const cut = { status: 'running', run_id: 'r', cursor: 'page-7', mode: 'incremental' };
  assert.equal(plan('mcp-registry', cut).cursor, 'page-7');
  assert.equal(plan('mcp-registry', cut).run_id, 'r');
  assert.equal(plan('mcp-registry', cut, NOW + 7 * HOUR).cursor, null);
  assert.equal(plan('mcp-registry', cut, NOW, true).cursor, null);
});

test('retries double, stay under the interval and give the provider the time it asked for', () => {
  assert.equal(retryDelay(HOUR, 0, 0), 30_000);
  assert.equal(retryDelay(HOUR, 3, 0), 240_000);
  assert.equal(retryDelay(2_000, 5, 0), 2_000);
  assert.equal(retryDelay(HOUR, 0, 600_000), 600_000);
});
