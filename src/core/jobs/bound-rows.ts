import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { ExpiringTable } from '#core/db/remove-expired.ts';
import type { JobTable } from './jobs.ts';
import type { JobKind } from './worker.ts';

/**
 * Rows stored for clients without an account are limited per network, but there are many networks. This job limits each
 * such table to a total number of rows: above it, the rows that would expire first are deleted early.
 */

const KIND = 'expire.overflow';
const EVERY_MS = 60_000;
const BATCH = 500;
const PAUSE_MS = 20;

/** A row takes about a kilobyte including its indexes, one of `rate_windows` a fifth of that. */
export const MOST_ROWS = {
  challenges: 100_000,
  email_tokens: 50_000,
  google_flows: 50_000,
  authorization_codes: 50_000,
  connection_flows: 50_000,
  mcp_session_mail: 20_000,
  rate_windows: 500_000,
} as const satisfies Partial<Record<ExpiringTable, number>>;

interface BoundRowsDeps {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  most?: Record<keyof typeof MOST_ROWS, number>;
  /** Rows per transaction. */
  batch?: number;
}

export const boundRowsKinds = (deps: BoundRowsDeps): Record<string, JobKind> => ({
  [KIND]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const { database, clock, most = MOST_ROWS, batch = BATCH } = deps;
      for (const table of Object.keys(most) as (keyof typeof MOST_ROWS)[]) {
        let over = (await countRows(database, table)) - most[table];
        while (over > 0 && !signal.aborted) {
          const removed = await database.db.transaction().execute(async (trx) => {
            await fence(trx);
            return removeFirst({ ...database, db: trx }, table, Math.min(over, batch));
          });
          if (removed === 0) break;
          over -= removed;
          await sleep(PAUSE_MS, null, { signal });
        }
      }
      return { again_at_ms: clock.now() + EVERY_MS };
    },
  },
});

export const scheduleBoundRows = (jobs: Pick<JobTable, 'put'>): Promise<void> => jobs.put({ kind: KIND, key: 'all' });

async function countRows({ db }: BoundRowsDeps['database'], table: ExpiringTable): Promise<number> {
  const { rows } = await sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.rows ?? 0);
}

/** Deletes the rows that would expire first. Returns their number. */
async function removeFirst(
  { db, engine }: BoundRowsDeps['database'],
  table: ExpiringTable,
  most: number,
): Promise<number> {
  const row = sql.ref(engine === 'postgres' ? 'ctid' : 'rowid');
  const name = sql.table(table);
  const { numAffectedRows } = await sql`DELETE FROM ${name} WHERE ${row} IN
    (SELECT ${row} FROM ${name} ORDER BY expires_at LIMIT ${most})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
