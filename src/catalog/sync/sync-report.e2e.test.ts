import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import { faultDoor } from '#test/fakes/fault-server.ts';
import { createSyncReport } from './sync-report.ts';
import type { SyncState } from './sync-states.ts';

const state = (more: Partial<SyncState> = {}) =>
  ({ mode: 'full', cursor: null, failures: 0, error: null, ...more }) as SyncState;
const reportInto = (lines: { level: string; msg: string }[]) =>
  createSyncReport(createLog('info', { write: (line) => lines.push(JSON.parse(line)) }));

test('without network access, there is one log line for all providers', () => {
  const lines: { level: string; msg: string }[] = [];
  const report = reportInto(lines);
  const unreachable = new Problem(
    'upstream_failed',
    'outbound.unreachable',
    'x.example cannot be reached (ENOTFOUND).',
  );
  for (let n = 0; n < 5; n++) {
    for (const id of ['glama', 'docker'] as const) {
      report.started(faultDoor(id), state({ failures: n }));
      report.failed(faultDoor(id), unreachable, state());
    }
  }
  assert.deepEqual(
    lines.map((line) => line.level),
    ['info', 'warn', 'info'],
  );
  assert.match(lines[1]?.msg ?? '', /no outbound network access/);
  assert.doesNotMatch(JSON.stringify(lines), /stack/);
});

test('a failure is logged when it begins, not each time', () => {
  const lines: { level: string; msg: string }[] = [];
  const report = reportInto(lines);
  const failed = new Problem('upstream_failed', 'registry.provider_failed', 'It answered with HTTP 500.');
  const before = state({ error: JSON.stringify({ code: 'registry.provider_failed', detail: '' }) });
  report.failed(faultDoor('glama'), failed, state());
  report.failed(faultDoor('glama'), failed, before);
  assert.deepEqual(
    lines.map((line) => line.msg),
    ['glama: sync failed. It answered with HTTP 500.'],
  );
});
