import { type Kysely, sql } from 'kysely';
import { storable } from '#catalog/items/listing-row.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityHistoryRow } from '#core/db/schema-moderation.ts';
import { newId } from '#core/ids.ts';
import type { GroupMember } from './group.ts';
import type { ChangeName } from './kinds.ts';

/** The public history of decisions on capabilities: the only SQL that names `capability_history`. */

type Db = Kysely<Schema>;

interface NewEntry {
  capability_id: string;
  change: ChangeName;
  actor: 'operator' | 'automatic' | 'owner';
  kind?: string;
  rule?: string;
  reason?: string;
  measure_id?: string;
  publisher_id?: string;
  /** The affected listings, if not all. */
  listings?: readonly GroupMember[];
  /** What a listing shares with a taken-down one. */
  evidence?: readonly { kind: string; value: string }[];
  at: string;
}

/**
 * Adds an entry in a transaction that has taken a change number, and returns its id. Pass `id` for an entry that creates an action,
 * which has the same id.
 */
export async function addEntry(
  trx: Db,
  { listings = [], evidence = [], ...entry }: NewEntry,
  id = newId(),
): Promise<string> {
  const about = {
    listings: JSON.stringify(listings.map(({ provider_id, external_id }) => ({ provider: provider_id, external_id }))),
    evidence: JSON.stringify(evidence.map(({ kind, value }) => ({ kind, value: storable(value.slice(0, 200)) }))),
  };
  const blank = { kind: '', rule: '', reason: '', measure_id: '', publisher_id: '' };
  await trx
    .insertInto('capability_history')
    .values((eb) => ({
      ...blank,
      ...entry,
      ...about,
      id,
      seq: eb
        .selectFrom('capability_history')
        .select(({ fn, lit }) => sql<number>`${fn.coalesce(fn.max('seq'), lit(0))} + 1`.as('seq')),
    }))
    .execute();
  return id;
}

/** Oldest first. Includes decisions on active actions that were recorded for other capabilities. */
export const historyOf = (
  db: Db,
  capability_ids: readonly string[],
  measure_ids: readonly string[] = [],
): Promise<CapabilityHistoryRow[]> =>
  db
    .selectFrom('capability_history')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('capability_id', 'in', [...capability_ids, '']),
        // `listing_taken_down` entries belong only to the capability that lost the listing.
        eb.and([
          eb('measure_id', '<>', ''),
          eb('measure_id', 'in', [...measure_ids, '']),
          eb('change', '<>', 'listing_taken_down'),
        ]),
      ]),
    )
    .orderBy('seq')
    .execute();
