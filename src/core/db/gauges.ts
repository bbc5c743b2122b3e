import type { Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import { keptReading, readCounts, readGauge } from '#core/metrics/gauges.ts';
import type { Database } from './open.ts';

/** The metrics `capstan_database_…`: availability and use by this process. */
export function gaugeDatabase(registry: Registry, { meter, ping }: Database, clock: Clock): void {
  for (const histogram of meter.histograms) registry.registerMetric(histogram);
  readCounts(
    registry,
    { name: 'capstan_database_errors_total', help: 'Statements that failed, by kind.', label: 'kind' },
    () => meter.errors,
  );
  const gauge = (name: string, help: string, read: () => number) =>
    readGauge(registry, { name: `capstan_database_${name}`, help }, read);
  gauge('connections_in_use', 'Database connections of this process in use.', () => meter.in_use);
  gauge('waiting', 'Transactions and statements waiting for a connection.', () => meter.waiting);
  const answers = keptReading(clock, async () => {
    await ping();
    return 1;
  });
  readGauge(
    registry,
    { name: 'capstan_database_up', help: '1 if the database is reachable, otherwise 0.', across: 'max' },
    async () => (await answers()) ?? 0,
  );
}
