import type { Kysely } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { keptReading, readGauges } from '#core/metrics/gauges.ts';
import { STORAGE_KINDS, type StorageKind } from './charged.ts';
import { readStorageOfAll } from './usage.ts';

interface StorageMeter {
  /** Something was refused or truncated because storage was full. */
  refused(kind: StorageKind): void;
  /** An account's counter was off by this many bytes. */
  drifted(bytes: number): void;
}

/** The metrics `capstan_storage_…`: stored bytes, refusals and counter errors. */
export function gaugeStorage(registry: Registry, { db, clock }: { db: Kysely<Schema>; clock: Clock }): StorageMeter {
  const stored = keptReading(clock, () => readStorageOfAll(db));
  readGauges(
    registry,
    { name: 'capstan_storage_bytes', help: 'Bytes stored for accounts, by kind.', label: 'kind', across: 'max' },
    async () => Object.entries((await stored()) ?? {}),
  );
  const refused = new Counter({
    name: 'capstan_storage_refused_total',
    help:
      'Requests rejected, traces truncated and responses not stored because an account was over its storage ' +
      'limit, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of STORAGE_KINDS) refused.inc({ kind }, 0);
  const drift = new Counter({
    name: 'capstan_storage_drift_bytes_total',
    help: 'Error of the storage counters in bytes, found and corrected by recounting.',
    registers: [registry],
  });
  return {
    refused: (kind) => refused.inc({ kind }),
    drifted: (bytes) => drift.inc(bytes),
  };
}
