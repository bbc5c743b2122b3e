import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';

/** Claims of capabilities: the only SQL that writes `capability_claims`. */

type Db = Kysely<Schema>;

export const findClaim = (db: Db, id: string): Promise<CapabilityClaimRow | undefined> =>
  db.selectFrom('capability_claims').selectAll().where('id', '=', id).executeTakeFirst();

export interface ClaimWithName extends CapabilityClaimRow {
  publisher: string;
  publisher_user_id: string | null;
}

/** Claims of these capabilities, oldest first. */
export const claimsOn = (db: Db, capability_ids: readonly string[]): Promise<ClaimWithName[]> =>
  named(db)
    .where('capability_claims.capability_id', 'in', [...capability_ids, ''])
    .orderBy('capability_claims.created_at')
    .orderBy('capability_claims.id')
    .execute();

const named = (db: Db) =>
  db
    .selectFrom('capability_claims')
    .innerJoin('publishers', 'publishers.id', 'capability_claims.publisher_id')
    .selectAll('capability_claims')
    .select(['publishers.name as publisher', 'publishers.user_id as publisher_user_id']);

/** Inserts a claim. It replaces a pending claim with the same publisher, capability and method. */
export async function insertClaim(trx: Db, claim: CapabilityClaimRow): Promise<void> {
  await trx
    .updateTable('capability_claims')
    .set({ status: 'expired', ended_at: claim.created_at })
    .where('capability_id', '=', claim.capability_id)
    .where('publisher_id', '=', claim.publisher_id)
    .where('method', '=', claim.method)
    .where('status', '=', 'pending')
    .execute();
  await trx.insertInto('capability_claims').values(claim).execute();
}

export async function changeClaim(db: Db, id: string, change: Partial<CapabilityClaimRow>): Promise<void> {
  await db.updateTable('capability_claims').set(change).where('id', '=', id).execute();
}

/** The verified claims that were checked least recently. */
export const claimsCheckedBefore = (db: Db, before: string, limit: number): Promise<CapabilityClaimRow[]> =>
  db
    .selectFrom('capability_claims')
    .selectAll()
    .where('status', '=', 'verified')
    .where('checked_at', '<', before)
    .orderBy('checked_at')
    .limit(limit)
    .execute();

export const verifiedClaimsOf = (db: Db, publisher_id: string): Promise<CapabilityClaimRow[]> =>
  db
    .selectFrom('capability_claims')
    .selectAll()
    .where('publisher_id', '=', publisher_id)
    .where('status', '=', 'verified')
    .orderBy('verified_at')
    .orderBy('id')
    .execute();

/** All claims of a publisher, for the export of an account. */
export const claimsHeldBy = (db: Db, publisher_id: string): Promise<CapabilityClaimRow[]> =>
  db
    .selectFrom('capability_claims')
    .selectAll()
    .where('publisher_id', '=', publisher_id)
    .orderBy('created_at')
    .execute();

/** Ends the claims of a deleted account and deletes their wallets and signatures. Returns the claimed capabilities. */
export async function endClaimsOf(trx: Db, publisher_id: string, now: string): Promise<string[]> {
  const verified = await verifiedClaimsOf(trx, publisher_id);
  await trx
    .updateTable('capability_claims')
    .set({ status: 'revoked', ended_at: now })
    .where('publisher_id', '=', publisher_id)
    .where('status', 'in', ['pending', 'verified'])
    .execute();
  await trx
    .updateTable('capability_claims')
    .set({ wallet: '', signature: '' })
    .where('publisher_id', '=', publisher_id)
    .execute();
  return verified.map(({ capability_id }) => capability_id);
}
