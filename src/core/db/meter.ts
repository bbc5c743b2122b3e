import type { CompiledQuery } from 'kysely';
import { labelHistogram } from '#core/metrics/histogram.ts';

/** Counts how one process uses the database; `gauges.ts` exports it. */

export const QUERY_KINDS = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback', 'other'] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** `error` is undefined on success. */
type OnStatement = (query: CompiledQuery, kind: QueryKind, beganMs: number, error: unknown) => void;

export type DatabaseMeter = ReturnType<typeof databaseMeter>;

const BOUNDS_S = [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5];

export function databaseMeter() {
  const queries = labelHistogram({
    name: 'capstan_database_query_seconds',
    help: 'Statement duration by kind; `begin` includes the wait for SQLite’s single writer.',
    label: 'kind',
    bounds: BOUNDS_S,
  });
  const waits = labelHistogram({
    name: 'capstan_database_wait_seconds',
    help: 'How long transactions and statements waited for a connection of this process.',
    label: 'engine',
    bounds: BOUNDS_S,
  });
  return {
    histograms: [queries.metric, waits.metric],
    /** Failed statements by kind. */
    errors: new Map<QueryKind, number>(),
    /** Connections in use, and callers waiting for one. */
    in_use: 0,
    waiting: 0,
    /** Called after each statement, if set. */
    onStatement: null as OnStatement | null,
    queried(kind: QueryKind, ms: number): void {
      queries.observe(kind, ms / 1_000);
    },
    erred(kind: QueryKind): void {
      this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
    },
    waited(engine: string, ms: number): void {
      waits.observe(engine, ms / 1_000);
    },
  };
}
