import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { ListingRow, Schema } from '../../../platform/db/schema.ts';
import type { CapabilityProofRow } from '../../../platform/db/schema-proof.ts';
import { OWN_SOURCE } from '../../registry/own-listings.ts';
import type { Level, ReadVerification, Verification } from '../../registry/verification.ts';
import type { Published } from '../identity/member.ts';
import { newestOf } from '../version.ts';
import { checkListing } from './check-listing.ts';
import { currentProof } from './compute.ts';
import { proofsOf } from './proofs.ts';
import { memberOf, type TargetMember } from './targets.ts';

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

interface Deps {
  db: Kysely<Schema>;
  clock: Clock;
}

export const readVerification =
  ({ db, clock }: Deps): ReadVerification =>
  async (rows) => {
    const members = rows.map((row) => memberOf({ ...row, published: null }));
    const proofs = Map.groupBy(
      await proofsOf(
        db,
        members.map(({ subject }) => subject),
      ),
      (it) => it.subject,
    );
    const now = isoTime(clock.now());
    return rows.map((row, at) => {
      const member = members[at] as TargetMember;
      const proof = currentProof(member, proofs.get(member.subject) ?? []);
      return verificationOf(member.subject, checkedOf(row), proof, now);
    });
  };

/** Of what is published here: its files were checked before they were taken, and what was found is told of each version. */
export async function readOwnVerification({ db, clock }: Deps, published: Published): Promise<Verification> {
  const { created_at, execution_class, version } = newestOf(published.versions);
  const place = { provider_id: OWN_SOURCE, external_id: published.listing.id };
  const member = memberOf({ ...place, published, execution_class, install: null, version });
  const proof = currentProof(member, await proofsOf(db, [member.subject]));
  const checked = { findings: [], is_grave: false, checked_at: created_at };
  return verificationOf(member.subject, checked, proof, isoTime(clock.now()));
}
