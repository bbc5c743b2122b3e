import { hash } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { ListingKey } from '#catalog/items/read-items.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import { hostOf, PACKAGES, packageQueue } from './host.ts';
import { isPackage, type ProbeTarget, targetText } from './probe-target.ts';

/** The servers of listings: the SQL that writes `probe_targets`, `probe_listings` and `probe_tools`. */

type Db = Kysely<Schema>;

export const targetId = (text: string): string => hash('sha256', text, 'hex');

interface Named extends ListingKey {
  target: ProbeTarget;
  /** Downloads plus stars; the largest is probed first. */
  wanted: number;
}

/** Saves which server a listing names. Returns the host if the server is new, otherwise null. */
export async function nameTarget(trx: Db, { provider_id, external_id, target, wanted }: Named, now: string) {
  const text = targetText(target);
  const id = targetId(text);
  const host = isPackage(target) ? packageQueue(provider_id) : hostOf(target.url);
  const made = await trx
    .insertInto('probe_targets')
    .values({
      id,
      host,
      target: text,
      wanted,
      reason: null,
      detail: '',
      protocol_version: null,
      server: null,
      tools_hash: null,
      tool_count: null,
      failures: 0,
      due_at: now,
      last_probed_at: null,
      last_seen_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined)
    await trx.updateTable('probe_targets').set({ wanted }).where('id', '=', id).where('wanted', '<', wanted).execute();
  await trx
    .insertInto('probe_listings')
    .values({ provider_id, external_id, target_id: id })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id']).doUpdateSet({ target_id: id }))
    .execute();
  return made === undefined ? null : host;
}

/** For a listing that was removed or no longer names a server. */
export const unnameTarget = async (trx: Db, { provider_id, external_id }: ListingKey): Promise<void> =>
  void (await trx
    .deleteFrom('probe_listings')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .execute());

/** Deletes servers that no listing names any more, with their tools. */
export const forgetUnnamed = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('probe_targets')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('probe_listings as l').select('l.target_id').whereRef('l.target_id', '=', 'probe_targets.id'),
        ),
      ),
    )
    .execute());

/** The next server of a host to probe: first those never probed, most wanted first, then the one probed longest ago. */
export const nextDue = (db: Db, host: string, now: string): Promise<ProbeTargetRow | undefined> =>
  db
    .selectFrom('probe_targets')
    .selectAll()
    .where('host', '=', host)
    .where('due_at', '<=', now)
    .where(isListed)
    .orderBy(sql`CASE WHEN last_probed_at IS NULL THEN 0 ELSE 1 END`)
    .orderBy('last_probed_at')
    .orderBy('wanted', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

const isListed = (eb: ExpressionBuilder<Schema, 'probe_targets'>) =>
  eb.exists(
    eb
      .selectFrom('probe_listings as l')
      .innerJoin('listings', (join) =>
        join.onRef('listings.provider_id', '=', 'l.provider_id').onRef('listings.external_id', '=', 'l.external_id'),
      )
      .select('l.target_id')
      .whereRef('l.target_id', '=', 'probe_targets.id')
      .where('listings.removed_at', 'is', null),
  );

/**
 * The next package of a queue: the most wanted of those never probed, or else the one that is due longest. Two queries, because
 * each reads one row of an index, and a queue may be long.
 */
export async function nextPackage(db: Db, queue: string, now: string): Promise<ProbeTargetRow | undefined> {
  const due = db
    .selectFrom('probe_targets')
    .selectAll()
    .where('host', '=', queue)
    .where('due_at', '<=', now)
    .where(isListed)
    .limit(1);
  const fresh = due.where('last_probed_at', 'is', null).orderBy('wanted', 'desc').orderBy('id', 'desc');
  const known = due.where('last_probed_at', 'is not', null).orderBy('due_at').orderBy('id');
  return (await fresh.executeTakeFirst()) ?? (await known.executeTakeFirst());
}

/** Moves the target's next probe, so that no other process, and none after a crash, probes it meanwhile. */
export async function claimTarget(trx: Db, id: string, now: string, due_at: string): Promise<boolean> {
  const row = await trx
    .updateTable('probe_targets')
    .set({ due_at })
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Without a result. */
export const postponeTarget = async (trx: Db, id: string, failures: number, due_at: string): Promise<void> =>
  void (await trx.updateTable('probe_targets').set({ failures, due_at }).where('id', '=', id).execute());

/** When the next of a host's servers is due; null if it has none. */
export async function earliestDue(db: Db, host: string): Promise<string | null> {
  const { due_at } = await db
    .selectFrom('probe_targets')
    .select((eb) => eb.fn.min('due_at').as('due_at'))
    .where('host', '=', host)
    .executeTakeFirstOrThrow();
  return due_at;
}

/** Hosts without a job, because a process crashed or the job was dropped. */
export async function hostsWithoutJob(db: Db, kind: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('probe_targets as t')
    .leftJoin('jobs as j', (join) => join.onRef('j.key', '=', 't.host').on('j.kind', '=', kind))
    .select('t.host')
    .distinct()
    .where('j.id', 'is', null)
    .where('t.host', 'not like', `${PACKAGES}%`)
    .limit(most)
    .execute();
  return rows.map(({ host }) => host);
}

/** Column values of a server that has never responded. */
export const FORGOTTEN = {
  tools_hash: null,
  tool_count: null,
  protocol_version: null,
  server: null,
  last_seen_at: null,
  tools_checked_at: null,
  tool_findings: null,
  tools_lapsed_at: null,
};

/** Deletes the results for a host that the operator excludes. */
export async function forgetResults(trx: Db, host: string, detail: string, due_at: string): Promise<void> {
  const of = trx.selectFrom('probe_targets').select('id').where('host', '=', host);
  await trx.deleteFrom('probe_tools').where('target_id', 'in', of).execute();
  await trx
    .updateTable('probe_targets')
    .set({ ...FORGOTTEN, reason: null, detail, due_at })
    .where('host', '=', host)
    .execute();
}
