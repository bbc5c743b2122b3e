import type { Kysely } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { keptReading, readGauges } from '#core/metrics/gauges.ts';
import { labelHistogram } from '#core/metrics/histogram.ts';
import { type QueueRow, readQueue } from './read-queue.ts';

/** `capstan_queue_…`: the job table. `capstan_jobs_…`: what this process did. */

const JOB_ENDS = ['done', 'failed', 'given_back', 'lease_lost'] as const;
export type JobEnd = (typeof JOB_ENDS)[number];

/** Called by the worker. */
export interface JobMeter {
  begun(kind: string): void;
  ended(kind: string, end: JobEnd, durationMs: number): void;
}

export function gaugeJobs(registry: Registry, { db, clock }: { db: Kysely<Schema>; clock: Clock }): JobMeter {
  gaugeQueue(registry, db, clock);
  const running = new Map<string, number>();
  const about = { name: 'capstan_jobs_running', help: 'Jobs running in this process.', label: 'kind' };
  readGauges(registry, about, () => running);
  const ends = new Counter({
    name: 'capstan_jobs_total',
    help: 'Finished jobs of this process by result: done, failed (will retry), released at shutdown, lease lost.',
    labelNames: ['kind', 'end'],
    registers: [registry],
  });
  const seconds = labelHistogram({
    name: 'capstan_job_seconds',
    help: 'Job duration, for all results.',
    label: 'kind',
    bounds: [0.05, 0.5, 5, 30, 120, 600],
  });
  registry.registerMetric(seconds.metric);
  const add = (kind: string, many: number) => running.set(kind, (running.get(kind) ?? 0) + many);
  return {
    begun: (kind) => void add(kind, 1),
    ended: (kind, end, durationMs) => {
      add(kind, -1);
      ends.inc({ kind, end });
      seconds.observe(kind, durationMs / 1_000);
    },
  };
}

/** The same in every process that shares the database. */
function gaugeQueue(registry: Registry, db: Kysely<Schema>, clock: Clock): void {
  const queue = keptReading(clock, () => readQueue(db, clock.now()));
  const gauge = (name: string, help: string, read: (row: QueueRow) => number) =>
    readGauges(
      registry,
      { name: `capstan_queue_${name}`, help, label: 'kind', across: 'max' },
      async () => (await queue())?.map((row) => [row.kind, read(row)] as const) ?? null,
    );
  gauge('jobs', 'Jobs in the table, including scheduled ones.', (row) => row.jobs);
  gauge('due', 'Jobs that are due and unclaimed.', (row) => row.due);
  gauge('leased', 'Jobs currently running.', (row) => row.leased);
  gauge('failing', 'Jobs whose last attempt failed.', (row) => row.failing);
  gauge('oldest_seconds', 'Age of the oldest due job.', (row) => row.oldest_seconds);
}
