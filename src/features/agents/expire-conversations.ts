import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { JobKind } from '../../platform/jobs/worker.ts';
import { deleteConversationsBefore } from './conversations.ts';

/** The repeated job that deletes conversations which nobody has gone on with for long. */

const EXPIRE = 'agent_conversations_expire';
const EVERY_MS = 3_600_000;
const BATCH = 100;
/** Between batches, so that others write too. */
const PAUSE_MS = 20;

export interface ExpireDeps {
  db: Kysely<Schema>;
  clock: Clock;
  retention_ms: number;
}

export const expireConversationsKind = ({ db, clock, retention_ms }: ExpireDeps): Record<string, JobKind> => ({
  [EXPIRE]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const before = isoTime(clock.now() - retention_ms);
      const some = (): Promise<number> =>
        db.transaction().execute(async (trx) => {
          await fence(trx);
          return deleteConversationsBefore(trx, before, BATCH);
        });
      while ((await some()) === BATCH) await sleep(PAUSE_MS, null, { signal });
      return { again_at_ms: clock.now() + EVERY_MS };
    },
  },
});

export const scheduleExpireConversations = (jobs: Pick<JobTable, 'put'>): Promise<void> =>
  jobs.put({ kind: EXPIRE, key: 'all' });
