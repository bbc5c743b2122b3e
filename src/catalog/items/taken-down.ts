import { type Expression, type Kysely, sql } from 'kysely';
import { changeTime, nextSeq } from '#catalog/changes/changes.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { Problem } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import { standingIdOf } from './aliases.ts';
import type { ListingKey } from './read-items.ts';

/** Listings that operators of this service took down: gone for everybody who reads or runs, whatever their provider says. */

export interface TakenDown {
  /** Of reason, such as malware. */
  kind: string;
  rule: string;
  reason: string;
  at: string;
  /** Where its history is, and who may appeal how. */
  history: string;
}

/** A listing that its provider has missed so often is gone there too. */
const GONE_AFTER_MISSES = 2;

/** Within the transaction of the decision. What is down already, or stands already, is left as it is. */
export async function takeDownListings(
  trx: Kysely<Schema>,
  keys: readonly ListingKey[],
  taken_down: TakenDown | null,
  now: string,
): Promise<void> {
  for (const key of keys) {
    const row = await trx
      .selectFrom('listings')
      .select(['taken_down', 'removed_at', 'missed_runs'])
      .where('provider_id', '=', key.provider_id)
      .where('external_id', '=', key.external_id)
      .executeTakeFirst();
    if (row === undefined || (row.taken_down === null) === (taken_down === null)) continue;
    const seq = await nextSeq(trx);
    const changed_at = await changeTime(trx, now);
    const stays_gone = taken_down === null && row.missed_runs >= GONE_AFTER_MISSES;
    const removed_at = taken_down === null ? (stays_gone ? row.removed_at : null) : now;
    await trx
      .updateTable('listings')
      .set({ seq, changed_at, removed_at, taken_down: taken_down === null ? null : JSON.stringify(taken_down) })
      .where('provider_id', '=', key.provider_id)
      .where('external_id', '=', key.external_id)
      .execute();
  }
}

const TOLD = ['provider_id', 'external_id', 'removed_at', 'seq', 'taken_down'] as const;
type Told = Pick<ListingRow, (typeof TOLD)[number]>;

/** The rows of an id, or of what this former id stands for now, that were taken down. A part of a statement. */
const downOf = (db: Kysely<Schema>, provider_id: Expression<string>, external_id: Expression<string>) =>
  db
    .selectFrom('listings as listed')
    .where('listed.provider_id', '=', provider_id)
    .where('listed.external_id', 'in', [external_id, standingIdOf(db, provider_id, external_id)])
    .where('listed.taken_down', 'is not', null);

/** Whether there is something to be told of the listing that these columns name, as a column of another statement. */
export const isDown = (db: Kysely<Schema>, provider_id: Expression<string>, external_id: Expression<string>) =>
  sql<number>`CASE WHEN EXISTS ${downOf(db, provider_id, external_id).select('listed.seq')} THEN 1 ELSE 0 END`;

/** What is told of the listing that this id, or this former id, stands for, where it was taken down. */
export async function findTakenDown(
  db: Kysely<Schema>,
  { provider_id, external_id }: ListingKey,
): Promise<Told | undefined> {
  const found: Told[] = await downOf(db, sql.val(provider_id), sql.val(external_id)).select(TOLD).execute();
  return found.find((row) => row.external_id === external_id) ?? found[0];
}

/** 410 with what is told of it; nothing of the listing itself. */
export const listingTakenDown = ({ provider_id, external_id, removed_at, seq, taken_down }: Told): Problem => {
  const down = JSON.parse(taken_down ?? '{}') as TakenDown;
  return new Problem(
    'gone',
    'registry.listing_taken_down',
    `The listing was taken down here (${down.kind}): ${quoted(down.reason)} Its history and how to appeal: ${down.history}.`,
    { extensions: { tombstone: { provider_id, external_id, removed_at, seq, taken_down: down } } },
  );
};
