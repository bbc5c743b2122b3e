import type { Kysely } from 'kysely';
import type { Published } from '#catalog/identity/capabilities.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { Level, ReadVerification, Verification } from '#catalog/items/verification.ts';
import { newestOf } from '#catalog/items/version.ts';
import { type ProbedTools, probedToolsOf } from '#catalog/probes/probed-tools.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { CapabilityProofRow } from '#core/db/schema-proof.ts';
import { type Overrules, overruleKey } from '#marketplace/moderation/overrules.ts';
import { currentProof } from './compute.ts';
import { type Examined, examine, examinePublished, judge, withOverrule } from './examine.ts';
import { proofsOf } from './proofs.ts';
import { memberOf, type TargetMember } from './targets.ts';

/** The verification of a listing, from its examination and its receipts. */

const proofPath = (subject: string): string =>
  `/api/marketplace/proof/${subject.split('/').map(encodeURIComponent).join('/')}`;

/** Combines the examination with the proof of the current content. Pure. */
function verificationOf(
  subject: string,
  examined: Examined,
  proof: CapabilityProofRow | null,
  now: string,
): Verification {
  const stands = proof !== null && proof.level !== 'listed' && proof.expires_at > now ? proof : null;
  const runs =
    stands === null ? null : { level: stands.level as Level, since: stands.reached_at, expires_at: stands.expires_at };
  const receipts = Number(proof?.runs ?? 0);
  return { ...judge([examined], runs, now), receipts, evidence: receipts === 0 ? null : proofPath(subject) };
}

interface Deps {
  db: Kysely<Schema>;
  clock: Clock;
}

type Place = Pick<ListingRow, 'provider_id' | 'external_id'>;
const keyOf = ({ provider_id, external_id }: Place): string => `${provider_id} ${external_id}`;

export const readVerification =
  ({ db, clock }: Deps): ReadVerification =>
  async (rows) => {
    const members = rows.map((row) => memberOf({ ...row, published: null }));
    const proofs = Map.groupBy(
      await proofsOf(
        db,
        members.map(({ subject }) => subject),
      ),
      (proof) => proof.subject,
    );
    const [tools, overrules] = [await toolsOf(db, rows), await overrulesOfListings(db, rows)];
    const now = isoTime(clock.now());
    return rows.map((row, at) => {
      const member = members[at] as TargetMember;
      const proof = currentProof(member, proofs.get(member.subject) ?? []);
      const seen = examine({ ...row, published: null, tools: tools.get(keyOf(row)) ?? null });
      const examined = withOverrule(seen, overrules.get(overruleKey(keyOf(row), seen.pin)));
      return verificationOf(member.subject, examined, proof, now);
    });
  };

const PAGE = 500;

/** Reads listings per provider, in pages. */
async function eachPage<R>(
  rows: readonly Place[],
  read: (providerId: string, externalIds: readonly string[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = [];
  for (const [providerId, of] of Map.groupBy(rows, (row) => row.provider_id))
    for (let at = 0; at < of.length; at += PAGE)
      for (const row of await read(
        providerId,
        of.slice(at, at + PAGE).map(({ external_id }) => external_id),
      ))
        found.push(row);
  return found;
}

async function toolsOf(db: Kysely<Schema>, rows: readonly Place[]): Promise<Map<string, ProbedTools | null>> {
  const found = await eachPage(rows, (providerId, ids) =>
    db
      .selectFrom('probe_listings as l')
      .innerJoin('probe_targets as t', 't.id', 'l.target_id')
      .select([
        'l.provider_id',
        'l.external_id',
        't.tools_hash',
        't.tools_checked_at',
        't.tool_findings',
        't.tools_lapsed_at',
      ])
      .where('l.provider_id', '=', providerId)
      .where('l.external_id', 'in', ids)
      .execute(),
  );
  return new Map(found.map((row) => [keyOf(row), probedToolsOf(row)]));
}

/** As `overruleKey`, with the listing's key instead of the capability id. */
async function overrulesOfListings(db: Kysely<Schema>, rows: readonly Place[]): Promise<Overrules> {
  const found = await eachPage(rows, (providerId, ids) =>
    db
      .selectFrom('finding_overrules as o')
      .innerJoin('capabilities as c', 'c.id', 'o.capability_id')
      .select(['c.provider_id', 'c.external_id', 'o.pin', 'o.reason'])
      .where('c.provider_id', '=', providerId)
      .where('c.external_id', 'in', ids)
      .execute(),
  );
  return new Map(found.map((row) => [overruleKey(keyOf(row), row.pin), row.reason]));
}

/** The verification of a published listing. */
export async function readOwnVerification({ db, clock }: Deps, published: Published): Promise<Verification> {
  const newest = newestOf(published.versions);
  const { execution_class, version } = newest;
  const place = { provider_id: OWN_SOURCE, external_id: published.listing.id };
  const member = memberOf({ ...place, published, execution_class, install: null, version });
  const proof = currentProof(member, await proofsOf(db, [member.subject]));
  const seen = examinePublished(newest);
  const overrules = await overrulesOfListings(db, [place]);
  const examined = withOverrule(seen, overrules.get(overruleKey(keyOf(place), seen.pin)));
  return verificationOf(member.subject, examined, proof, isoTime(clock.now()));
}
