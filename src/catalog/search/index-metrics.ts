import type { Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import { keptReading, readCounts, readGauges } from '#core/metrics/gauges.ts';
import type { Progress } from './build/build-thread.ts';

/** The metrics `capstan_index_…`: the size of each index, and how far it lags behind the database. */

export interface IndexFacts extends Progress {
  items: number;
  /** Shared memory. */
  bytes: number;
  /** Entries with a vector; absent without an operator's model. */
  vectors?: number;
  /** Tools with one. */
  tool_vectors?: number;
}

export interface WatchedIndex {
  index: string;
  /** Null until the index is built. */
  facts(): IndexFacts | null;
  /** The number of the newest change in the database. */
  newest(): Promise<number>;
}

export function gaugeIndexes(registry: Registry, clock: Clock, indexes: readonly WatchedIndex[]): void {
  const watched = indexes.map((index) => ({ ...index, newest: keptReading(clock, index.newest) }));
  type Read = (facts: IndexFacts, newest: () => Promise<number | null>) => number | null | Promise<number | null>;
  const gauge = (name: string, help: string, read: Read) =>
    readGauges(registry, { name: `capstan_index_${name}`, help, label: 'index', across: 'max' }, async () => {
      const values: [string, number][] = [];
      for (const { index, facts, newest } of watched) {
        const known = facts();
        const value = known === null ? null : await read(known, newest);
        if (value !== null) values.push([index, value]);
      }
      return values;
    });
  gauge('items', 'Indexed entries.', (facts) => facts.items);
  gauge('vectors', "Indexed entries with a vector of the operator's model.", (facts) => facts.vectors ?? null);
  gauge(
    'tool_vectors',
    "Tools of indexed entries with a vector of the operator's model.",
    ({ tool_vectors }) => tool_vectors ?? null,
  );
  gauge('bytes', 'Shared memory used by the index.', (facts) => facts.bytes);
  gauge('change', 'Number of the newest change in the index.', (facts) => facts.change);
  gauge('age_seconds', 'Time since the last rebuild.', (facts) => (performance.now() - facts.received_at_ms) / 1_000);
  gauge('build_seconds', 'Duration of the last rebuild.', (facts) => facts.build_ms / 1_000);
  const failures = { name: 'capstan_index_failures_total', help: 'Failed rebuilds.', label: 'index' };
  readCounts(registry, failures, () => watched.map(({ index, facts }) => [index, facts()?.failures ?? 0] as const));
  gauge('lag', 'Changes in the database that are not in the index yet.', async (facts, newest) => {
    const number = await newest();
    return number === null ? null : Math.max(0, number - facts.change);
  });
}
