import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { AuditAction } from './actions.ts';

/**
 * Limits how many entries one actor or network can cause: repeated actions within an hour are counted and become one
 * entry when the hour is over. The only SQL that uses `audit_tallies`.
 */

type Db = Kysely<Schema>;

/** Read actions. They change nothing, so a second view of the same account within an hour adds no information. */
const READS: readonly AuditAction[] = ['users.look', 'users.list'];

/** Entries per actor, action and outcome within an hour. */
const MOST = { read: 100, done: 200, refused: 100 };
/** Failures per network, whatever account they targeted, and of all networks together while nobody is signed in. */
const MOST_REFUSED_OF_NETWORK = 20;
const MOST_REFUSED_OF_NOBODY = 1_000;

const HOUR_MS = 3_600_000;
const SEVERAL = '*';

/** The key under which an entry is counted. */
interface TallyKey {
  address: string;
  target: string;
}

interface Happening {
  actor: string;
  action: AuditAction;
  target: string;
  outcome: 'done' | 'refused';
  /** The client's network. */
  address: string | null;
  is_anonymous: boolean;
}

const hourOf = (now: string): string => isoTime(Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS);

/**
 * Returns true if the entry was counted because there are enough like it in this hour. Otherwise the caller must write
 * it.
 */
export async function countRepeated(trx: Db, happening: Happening, now: string): Promise<boolean> {
  const key = await overBound(trx, happening, now);
  if (key === null) return false;
  const { actor, action, outcome } = happening;
  await trx
    .insertInto('audit_tallies')
    .values({ actor, action, outcome, ...key, hour: hourOf(now), times: 1, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['hour', 'actor', 'action', 'outcome', 'address', 'target'])
        .doUpdateSet((of) => ({ times: of('audit_tallies.times', '+', 1), last_at: now })),
    )
    .execute();
  return true;
}

async function overBound(trx: Db, happening: Happening, now: string): Promise<TallyKey | null> {
  const { actor, action, outcome, target, address, is_anonymous } = happening;
  const isRead = READS.includes(action);
  const most = isRead
    ? MOST.read
    : outcome === 'done'
      ? MOST.done
      : is_anonymous
        ? MOST_REFUSED_OF_NOBODY
        : MOST.refused;
  // Reads at most as many rows as the limits allow.
  const { rows } = await sql<{ all_of: number; of_network: number; of_target: number }>`
    SELECT count(*) AS all_of,
      COALESCE(sum(CASE WHEN address = ${address ?? ''} THEN 1 ELSE 0 END), 0) AS of_network,
      COALESCE(sum(CASE WHEN target = ${target} THEN 1 ELSE 0 END), 0) AS of_target
    FROM (SELECT address, target FROM audit_log
      WHERE actor = ${actor} AND action = ${action} AND outcome = ${outcome} AND at >= ${hourOf(now)}
      LIMIT ${most}) lately`.execute(trx);
  const { all_of, of_network, of_target } = rows[0] ?? { all_of: 0, of_network: 0, of_target: 0 };
  if (isRead && Number(of_target) > 0) return { address: SEVERAL, target };
  if (outcome === 'refused' && Number(of_network) >= MOST_REFUSED_OF_NETWORK)
    return { address: address ?? SEVERAL, target: SEVERAL };
  return Number(all_of) >= most ? { address: SEVERAL, target: SEVERAL } : null;
}

interface Tally {
  actor: string;
  action: AuditAction;
  outcome: 'done' | 'refused';
  address: string | null;
  target: string;
  detail: { times: number; since: string; until: string };
}

/** Returns and deletes up to `most` tallies whose hour is over. */
export async function takeTallies(trx: Db, now: string, most: number): Promise<Tally[]> {
  const rows = await trx
    .selectFrom('audit_tallies')
    .selectAll()
    .where('hour', '<', hourOf(now))
    .orderBy('hour')
    .orderBy('first_at')
    .limit(most)
    .execute();
  for (const { hour, actor, action, outcome, address, target } of rows)
    await trx
      .deleteFrom('audit_tallies')
      .where((of) => of.and({ hour, actor, action, outcome, address, target }))
      .execute();
  return rows.map(({ actor, action, outcome, address, target, times, first_at, last_at }) => ({
    actor,
    action: action as AuditAction,
    outcome: outcome as Tally['outcome'],
    address: address === SEVERAL ? null : address,
    target,
    detail: { times, since: first_at, until: last_at },
  }));
}
