import type { Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import { keptReading, readCounts, readGauges } from '#core/metrics/gauges.ts';
import type { Progress } from './build/build-thread.ts';

/** `capstan_index_…`: how big each index is, and how well it follows the database. */

export interface IndexFacts extends Progress {
  items: number;
  /** Of the shared memory that it takes. */
  bytes: number;
}

export interface WatchedIndex {
  index: string;
  /** Null while there is none. */
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
  gauge('items', 'What can be found in it.', (facts) => facts.items);
  gauge('bytes', 'Shared memory that it takes.', (facts) => facts.bytes);
  gauge('change', 'Number of the newest change that it holds.', (facts) => facts.change);
  gauge('age_seconds', 'Since its view was handed over.', (facts) => (performance.now() - facts.given_at_ms) / 1_000);
  gauge('build_seconds', 'What building that view took.', (facts) => facts.build_ms / 1_000);
  const failures = { name: 'capstan_index_failures_total', help: 'Rounds of building that failed.', label: 'index' };
  readCounts(registry, failures, () => watched.map(({ index, facts }) => [index, facts()?.failures ?? 0] as const));
  gauge('lag', 'Changes in the database that it does not hold yet.', async (facts, newest) => {
    const number = await newest();
    return number === null ? null : Math.max(0, number - facts.change);
  });
}
