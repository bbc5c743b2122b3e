import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityProofRow } from '#core/db/schema-proof.ts';

/** Levels of each version of each listing: the only SQL that names `capability_proofs`. */

type Db = Kysely<Schema>;
const MOST = 500;

export async function proofsOf(db: Db, subjects: readonly string[]): Promise<CapabilityProofRow[]> {
  const found: CapabilityProofRow[] = [];
  for (let at = 0; at < subjects.length; at += MOST) {
    const some = subjects.slice(at, at + MOST);
    const rows = await db
      .selectFrom('capability_proofs')
      .selectAll()
      .where('subject', 'in', some)
      .orderBy('subject')
      .orderBy('pin')
      .execute();
    for (const row of rows) found.push(row);
  }
  return found;
}

/** Replaces all proofs of these subjects. Unchanged rows are not written. */
export async function replaceProofs(
  trx: Db,
  subjects: readonly string[],
  proofs: readonly CapabilityProofRow[],
): Promise<void> {
  const before = new Map((await proofsOf(trx, subjects)).map((proof) => [keyOf(proof), proof]));
  for (const row of proofs) {
    const known = before.get(keyOf(row));
    before.delete(keyOf(row));
    if (known !== undefined && sameRow(known, row)) continue;
    await trx
      .insertInto('capability_proofs')
      .values(row)
      .onConflict((conflict) => conflict.columns(['subject', 'pin']).doUpdateSet(row))
      .execute();
  }
  for (const { subject, pin } of before.values())
    await trx.deleteFrom('capability_proofs').where('subject', '=', subject).where('pin', '=', pin).execute();
}

const keyOf = ({ subject, pin }: Pick<CapabilityProofRow, 'subject' | 'pin'>): string => `${pin} ${subject}`;

export const sameRow = (a: CapabilityProofRow, b: CapabilityProofRow): boolean =>
  (Object.keys(b) as (keyof CapabilityProofRow)[]).every((name) => String(a[name]) === String(b[name]));
