import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { expiryKind, scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { appendAudit, listAudit } from './audit.ts';
import { takeOver } from './take-over.ts';
import { takeTallies } from './tallies.ts';

/** Jobs of the audit log: write new entries to the process log, and delete expired ones. */

type Db = Kysely<Schema>;

const TELL = 'audit.tell';
const EXPIRE = 'audit.expire';
const TELL_EVERY_MS = 5_000;
/** Entries per transaction. */
const BATCH = 200;
const TOLD = 'audit_told';

interface AuditJobsDeps {
  db: Db;
  clock: Clock;
  log: Pick<Log, 'info'>;
  retention_ms: number;
  /** Rows per transaction. */
  batch?: number;
}

export const auditKinds = (deps: AuditJobsDeps): Record<string, JobKind> => ({
  [TELL]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      await deps.db.transaction().execute(async (trx) => {
        await fence(trx);
        await takeOver(trx, BATCH);
        await closeTallies(trx, isoTime(deps.clock.now()));
      });
      while (!signal.aborted && (await tellSome(deps, fence)) === BATCH);
      return { again_at_ms: deps.clock.now() + TELL_EVERY_MS };
    },
  },
  ...expiryKind({
    kind: EXPIRE,
    db: deps.db,
    clock: deps.clock,
    kept_ms: deps.retention_ms,
    batch: deps.batch ?? 500,
    remove: (trx, before, most) =>
      removeOldest(trx, before, most, new Date(deps.clock.now()).toISOString().slice(0, 10)),
  }),
});

export async function scheduleAudit(jobs: Pick<JobTable, 'put'>): Promise<void> {
  await jobs.put({ kind: TELL, key: 'all' });
  await scheduleExpiry(jobs, EXPIRE);
}

/** Writes one entry for each count whose hour is over. */
async function closeTallies(trx: Db, now: string): Promise<void> {
  for (const tally of await takeTallies(trx, now, BATCH))
    await appendAudit(trx, { ...tally, request_id: null }, tally.detail.until);
}

/** Logs one line per entry, in order. After a crash, some entries are logged twice. */
async function tellSome(
  { db, log }: AuditJobsDeps,
  fence: Parameters<JobKind['handler']>[0]['fence'],
): Promise<number> {
  const { value: told } = await db
    .selectFrom('change_counters')
    .select('value')
    .where('name', '=', TOLD)
    .executeTakeFirstOrThrow();
  let count = 0;
  let newest = told;
  for await (const entry of listAudit(db, { after: told })) {
    log.info({ audit: entry }, 'audit');
    newest = entry.seq;
    if (++count === BATCH) break;
  }
  if (count > 0)
    await db.transaction().execute(async (trx) => {
      await fence(trx);
      await trx.updateTable('change_counters').set({ value: newest }).where('name', '=', TOLD).execute();
    });
  return count;
}

/** Deletes the oldest entries, so that the rest remains one chain, and keeps an anchor. */
async function removeOldest(trx: Db, before: string, most: number, removed_on: string): Promise<number> {
  const oldest = await trx.selectFrom('audit_log').select(['seq', 'at', 'hash']).orderBy('seq').limit(most).execute();
  const kept = oldest.findIndex(({ at }) => at >= before);
  const over = kept === -1 ? oldest : oldest.slice(0, kept);
  const last = over.at(-1);
  if (last === undefined) return 0;
  for (const table of ['audit_log', 'audit_reasons'] as const)
    await trx.deleteFrom(table).where('seq', '<=', last.seq).execute();
  // One anchor per day is enough to verify the rest.
  await trx.deleteFrom('audit_anchors').where('removed_on', '=', removed_on).execute();
  await trx.insertInto('audit_anchors').values({ seq: last.seq, hash: last.hash, removed_on }).execute();
  return over.length;
}
