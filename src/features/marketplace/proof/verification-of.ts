import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { ListingRow, Schema } from '../../../platform/db/schema.ts';
import type { CapabilityProofRow } from '../../../platform/db/schema-proof.ts';
import type { Level, ReadVerification, Verification } from '../../registry/verification.ts';
import { checkListing } from './check-listing.ts';
import { currentProof } from './compute.ts';
import { proofsOf } from './proofs.ts';
import { memberOf, subjectOf } from './targets.ts';

/** How far a listing was proved: what the static checks say of its record, and what receipts say of its runs. */

export const proofPath = (subject: string): string =>
  `/api/marketplace/proof/${subject.split('/').map(encodeURIComponent).join('/')}`;

export interface Checked {
  findings: Verification['findings'];
  is_grave: boolean;
  /** When what was checked last changed. */
  checked_at: string;
}

/** Of the checks and the proof of what it is now. Pure. */
export function verificationOf(
  subject: string,
  checked: Checked,
  proof: CapabilityProofRow | null,
  now: string,
): Verification {
  const { findings, is_grave, checked_at } = checked;
  const stands = proof !== null && proof.expires_at > now ? proof : null;
  const shown =
    stands !== null
      ? { level: stands.level as Level, since: stands.reached_at, expires_at: stands.expires_at }
      : is_grave
        ? { level: 'listed' as const, since: null, expires_at: null }
        : { level: 'checked' as const, since: checked_at, expires_at: null };
  const receipts = Number(proof?.runs ?? 0);
  return { ...shown, checked_at, receipts, findings, evidence: receipts === 0 ? null : proofPath(subject) };
}

export const checkedOf = (row: ListingRow): Checked => ({ ...checkListing(row), checked_at: row.changed_at });

export const readVerification =
  ({ db, clock }: { db: Kysely<Schema>; clock: Clock }): ReadVerification =>
  async (row) => {
    const subject = subjectOf(row.provider_id, row.external_id);
    const proof = currentProof(memberOf({ ...row, published: null }), await proofsOf(db, [subject]));
    return verificationOf(subject, checkedOf(row), proof, isoTime(clock.now()));
  };
