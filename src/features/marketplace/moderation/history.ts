import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../platform/db/schema.ts';
import type { CapabilityHistoryRow } from '../../../platform/db/schema-moderation.ts';
import { newId } from '../../../platform/ids.ts';
import type { ChangeName } from './kinds.ts';

/** What was decided of capabilities, for everybody to read: the only SQL that names `capability_history`. */

type Db = Kysely<Schema>;

export interface NewEntry {
  capability_id: string;
  change: ChangeName;
  actor: 'operator' | 'automatic' | 'owner';
  kind?: string;
  rule?: string;
  reason?: string;
  measure_id?: string;
  publisher_id?: string;
  at: string;
}

/** Within a transaction that holds the number of capabilities' changes. Answers its id. `id` is given where the entry takes a measure, which has the id of its entry. */
export async function addEntry(trx: Db, entry: NewEntry, id = newId()): Promise<string> {
  const blank = { kind: '', rule: '', reason: '', measure_id: '', publisher_id: '' };
  await trx
    .insertInto('capability_history')
    .values((it) => ({
      ...{ ...blank, ...entry, id },
      seq: it
        .selectFrom('capability_history')
        .select(({ fn, lit }) => sql<number>`${fn.coalesce(fn.max('seq'), lit(0))} + 1`.as('seq')),
    }))
    .execute();
  return id;
}

/** Oldest first; with what was decided of measures that stand against these, wherever that was written down. */
export const historyOf = (
  db: Db,
  capability_ids: readonly string[],
  measure_ids: readonly string[] = [],
): Promise<CapabilityHistoryRow[]> =>
  db
    .selectFrom('capability_history')
    .selectAll()
    .where((it) =>
      it.or([
        it('capability_id', 'in', [...capability_ids, '']),
        it.and([it('measure_id', '<>', ''), it('measure_id', 'in', [...measure_ids, ''])]),
      ]),
    )
    .orderBy('seq')
    .execute();
