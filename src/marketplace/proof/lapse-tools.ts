import type { Kysely } from 'kysely';
import { touchProbed } from '#catalog/identity/capabilities.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { TOOLS_HOLD_MS } from './examine.ts';

/** The recurring job that ends levels by probes after probes have stopped, so that lists do not show them forever. */

/** Servers per transaction, because other writers wait for it. */
const MOST = 200;

/** Returns whether there may be more. Uses stored results only, so it works with probes switched off. */
export async function lapseTools(
  { db, clock }: { db: Kysely<Schema>; clock: Clock },
  fence: Parameters<JobHandler>[0]['fence'],
): Promise<boolean> {
  const nowMs = clock.now();
  return db.transaction().execute(async (trx) => {
    await fence(trx);
    const due = await trx
      .selectFrom('probe_targets')
      .select('id')
      .where('tools_lapsed_at', 'is', null)
      .where('tools_checked_at', '<=', isoTime(nowMs - TOOLS_HOLD_MS))
      .orderBy('tools_checked_at')
      .limit(MOST)
      .execute();
    for (const { id } of due) {
      await trx
        .updateTable('probe_targets')
        .set({ tools_lapsed_at: isoTime(nowMs) })
        .where('id', '=', id)
        .execute();
      await touchProbed(trx, id, nowMs);
    }
    return due.length === MOST;
  });
}
