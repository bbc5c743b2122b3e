import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import type { LinkDb } from './plan.ts';

/** The linker's database where there is one open: a transaction of it for each page. */
export function linkDbOver(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  fence: JobRun['fence'] = async () => {},
): LinkDb {
  return {
    query: connectionOver(db, engine).query,
    transaction: (work) =>
      db.transaction().execute(async (trx) => {
        await fence(trx);
        return work(connectionOver(trx, engine));
      }),
  };
}
