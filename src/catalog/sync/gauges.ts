import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { keptReading, readGauges } from '#core/metrics/gauges.ts';
import { rejectedByProvider } from './rejected.ts';
import { readSyncStates, type SyncState } from './sync-states.ts';

/** `capstan_sync_…`: the last run of each enabled provider. Equal in all processes that share a database. */

interface GaugesOptions {
  db: Kysely<Schema>;
  clock: Clock;
  enabled: readonly ProviderId[];
}

export function gaugeSync(registry: Registry, { db, clock, enabled }: GaugesOptions): void {
  const states = keptReading(clock, async () =>
    (await readSyncStates(db)).filter(
      ({ provider_id, status }) => status !== 'disabled' && (enabled as readonly string[]).includes(provider_id),
    ),
  );
  const gauge = (name: string, help: string, read: (state: SyncState) => number | null) =>
    readGauges(
      registry,
      { name: `capstan_sync_${name}`, help, label: 'provider', across: 'max' },
      async () =>
        (await states())?.flatMap((state): [string, number][] => {
          const value = read(state);
          return value === null ? [] : [[state.provider_id, value]];
        }) ?? null,
    );
  gauge('last_success_timestamp_seconds', 'End of the last successful run.', (state) => seconds(state.last_success_at));
  gauge('last_run_seconds', 'Duration of the last run.', durationOf);
  gauge('running', '1 during a run.', (state) => Number(state.status === 'running'));
  gauge('records', 'Records seen by the last run.', (state) => state.seen);
  gauge('failures', 'Consecutive failed runs.', (state) => state.failures);
  const rejected = keptReading(clock, () => rejectedByProvider(db));
  readGauges(
    registry,
    {
      name: 'capstan_sync_quarantined',
      help: 'Invalid records in quarantine.',
      label: 'provider',
      across: 'max',
    },
    rejected,
  );
}

const seconds = (time: string | null): number | null => (time === null ? null : Date.parse(time) / 1_000);

function durationOf({ status, started_at, finished_at }: SyncState): number | null {
  const [began, ended] = [seconds(started_at), seconds(finished_at)];
  return began === null || ended === null || status === 'running' ? null : Math.max(0, ended - began);
}
