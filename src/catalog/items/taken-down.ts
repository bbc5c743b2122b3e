import { type Expression, type Kysely, sql } from 'kysely';
import { changeTime, nextSeq } from '#catalog/changes/changes.ts';
import { catalogProblem } from '#catalog/errors.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import { currentIdOf } from './aliases.ts';
import type { ListingKey } from './read-items.ts';

/** Listings that operators of this service took down. They cannot be read or run, whatever their provider says. */

export interface TakenDown {
  /** Kind of reason, such as malware. */
  kind: string;
  rule: string;
  reason: string;
  at: string;
  /** Path of the moderation history, which explains appeals. */
  history: string;
}

/** After this many missed runs, the provider has removed the listing, too. */
const GONE_AFTER_MISSES = 2;

/** Takes listings down, or restores them with null, in the transaction of the decision. */
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
    const staysGone = taken_down === null && row.missed_runs >= GONE_AFTER_MISSES;
    const removed_at = taken_down === null ? (staysGone ? row.removed_at : null) : now;
    await trx
      .updateTable('listings')
      .set({ seq, changed_at, removed_at, taken_down: taken_down === null ? null : JSON.stringify(taken_down) })
      .where('provider_id', '=', key.provider_id)
      .where('external_id', '=', key.external_id)
      .execute();
  }
}

const TOMBSTONE = ['provider_id', 'external_id', 'removed_at', 'seq', 'taken_down'] as const;
type Tombstone = Pick<ListingRow, (typeof TOMBSTONE)[number]>;

/** Taken-down rows of an id or former id, as part of a statement. */
const downOf = (db: Kysely<Schema>, providerId: Expression<string>, externalId: Expression<string>) =>
  db
    .selectFrom('listings as listed')
    .where('listed.provider_id', '=', providerId)
    .where('listed.external_id', 'in', [externalId, currentIdOf(db, providerId, externalId)])
    .where('listed.taken_down', 'is not', null);

/** Whether the listing that these columns name was taken down, as a column of another statement. */
export const isDown = (db: Kysely<Schema>, provider_id: Expression<string>, external_id: Expression<string>) =>
  sql<number>`CASE WHEN EXISTS ${downOf(db, provider_id, external_id).select('listed.seq')} THEN 1 ELSE 0 END`;

/** The tombstone of a taken-down listing by id or former id. */
export async function findTakenDown(
  db: Kysely<Schema>,
  { provider_id, external_id }: ListingKey,
): Promise<Tombstone | undefined> {
  const found: Tombstone[] = await downOf(db, sql.val(provider_id), sql.val(external_id)).select(TOMBSTONE).execute();
  return found.find((row) => row.external_id === external_id) ?? found[0];
}

/** 410 with the tombstone, without any content of the listing. */
export function listingTakenDown({ provider_id, external_id, removed_at, seq, taken_down }: Tombstone): Problem {
  const down = JSON.parse(taken_down ?? '{}') as TakenDown;
  return catalogProblem(
    'registry.gone',
    `An operator of this service took the listing down (${down.kind}): ${quoted(down.reason)} History and appeals: ${down.history}.`,
    {
      reason: 'listing_taken_down',
      extensions: { tombstone: { provider_id, external_id, removed_at, seq, taken_down: down } },
    },
  );
}
