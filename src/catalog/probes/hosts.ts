import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeHostRow } from '#core/db/schema-probes.ts';

/** Hosts of listed servers, and when each may be probed: the only SQL that names `probe_hosts`. */

type Db = Kysely<Schema>;

export const findHost = (db: Db, host: string): Promise<ProbeHostRow | undefined> =>
  db.selectFrom('probe_hosts').selectAll().where('host', '=', host).executeTakeFirst();

/** Sets the time of the next probe before the probe, so that no other process, and none after a crash, probes the host too. */
export async function claimHost(trx: Db, host: string, now: string, next_visit_at: string): Promise<boolean> {
  await trx
    .insertInto('probe_hosts')
    .values({ host, failures: 0, next_visit_at: now, wait_until: null, robots: null, robots_read_at: null })
    .onConflict((conflict) => conflict.column('host').doNothing())
    .execute();
  const row = await trx
    .updateTable('probe_hosts')
    .set({ next_visit_at })
    .where('host', '=', host)
    .where('next_visit_at', '<=', now)
    .returning('host')
    .executeTakeFirst();
  return row !== undefined;
}

export const saveHost = async (db: Db, { host, ...set }: Partial<ProbeHostRow> & Pick<ProbeHostRow, 'host'>) =>
  void (await db.updateTable('probe_hosts').set(set).where('host', '=', host).execute());

/** Deletes hosts without servers. Not before they may be probed again, or the limit could be bypassed. */
export const forgetHosts = async (db: Db, now: string): Promise<void> =>
  void (await db
    .deleteFrom('probe_hosts')
    .where('next_visit_at', '<=', now)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('probe_targets as t').select('t.id').whereRef('t.host', '=', 'probe_hosts.host'))),
    )
    .execute());
