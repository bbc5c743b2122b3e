import type { Kysely } from 'kysely';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import { inChunks } from './standing-of.ts';

/** Overruled findings: the only SQL that names `finding_overrules`. */

/** Public reasons by member id and content. */
export type Overrules = ReadonlyMap<string, string>;

export const overruleKey = (capability_id: string, pin: string): string => `${capability_id} ${pin}`;

interface Row {
  capability_id: string;
  pin: string;
  reason: string;
}

const keyed = (rows: readonly Row[]): Overrules =>
  new Map(rows.map(({ capability_id, pin, reason }) => [overruleKey(capability_id, pin), reason]));

/** Overrules for all members of these current capabilities. Plain SQL, because the index thread uses it, too. */
export const overrulesOf = async (db: Pick<Connection, 'query'>, ids: readonly string[]): Promise<Overrules> =>
  keyed(
    await inChunks<Row>(
      db,
      `SELECT o.capability_id, o.pin, o.reason FROM finding_overrules o JOIN capabilities c ON c.id = o.capability_id
       WHERE c.stands_id IN (#)`,
      ids,
    ),
  );

/** Saves an operator's overrule for the current content of a listing, replacing an earlier one. */
export async function saveOverrule(trx: Kysely<Schema>, row: Row & { entry_id: string; at: string }): Promise<void> {
  await trx
    .insertInto('finding_overrules')
    .values(row)
    .onConflict((of) => of.columns(['capability_id', 'pin']).doUpdateSet(row))
    .execute();
}

/** Returns the number of removed rows. */
export async function dropOverrules(trx: Kysely<Schema>, capability_ids: readonly string[]): Promise<number> {
  const rows = await trx
    .deleteFrom('finding_overrules')
    .where('capability_id', 'in', [...capability_ids, ''])
    .returning('pin')
    .execute();
  return rows.length;
}
