import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogProblem } from '#catalog/errors.ts';
import { coreProblem } from '#core/errors.ts';
import { createLog } from '#core/log.ts';
import { faultDoor } from '#test/fakes/fault-server.ts';
import { createSyncReport } from './sync-report.ts';
import { packError, type SyncState } from './sync-states.ts';

const state = (more: Partial<SyncState> = {}) =>
  ({ mode: 'full', cursor: null, failures: 0, error: null, ...more }) as SyncState;
const reportInto = (lines: { level: string; msg: string }[]) =>
  createSyncReport(createLog('info', { write: (line) => lines.push(JSON.parse(line)) }));

test('without network access, one line is logged for all providers', () => {
  const lines: { level: string; msg: string }[] = [];
  const report = reportInto(lines);
  const unreachable = coreProblem('outbound.failed', 'x.example cannot be reached (ENOTFOUND).', {
    reason: 'unreachable',
  });
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

test('a failure is logged when it begins, and not at each retry', () => {
  const lines: { level: string; msg: string }[] = [];
  const report = reportInto(lines);
  const failed = catalogProblem('registry.provider_failed', 'It answered with HTTP 500.', { reason: 'unavailable' });
  const before = state({ error: packError(failed) });
  report.failed(faultDoor('glama'), failed, state());
  report.failed(faultDoor('glama'), failed, before);
  assert.deepEqual(
    lines.map((line) => line.msg),
    ['glama: sync failed. It answered with HTTP 500.'],
  );
});
