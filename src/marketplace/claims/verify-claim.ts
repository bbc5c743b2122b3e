import { nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import type { PublisherRow } from '#core/db/schema-publishing.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { groupOf, idsOf } from '#marketplace/moderation/group.ts';
import { addEntry } from '#marketplace/moderation/history.ts';
import { findPublisher } from '#marketplace/publishers/publishers.ts';
import { type GivenClaim, verifyClaim as verifySignature } from './claim.ts';
import { type ClaimWithName, changeClaim, claimsOn, findClaim } from './claims.ts';
import { CLAIM_FILE, placeOf, rawUrl } from './place.ts';
import { proves, readProofFile, readText } from './proof-file.ts';
import {
  claimEnded,
  claimHeld,
  claimNotFound,
  fileAbsent,
  fileUnreachable,
  signatureNeeded,
  skillDiffers,
} from './refusals.ts';

type Deps = Pick<MarketplaceDeps, 'db' | 'clock' | 'fetch' | 'wallets' | 'base_url' | 'raw_hosts'>;

/** The text that a wallet signs. The repository's file must name the wallet, to connect the two. */
export const ownershipText = (base_url: string, publisher: string, claim: CapabilityClaimRow): string =>
  [
    'I own this capability. This costs nothing and sends no transaction.',
    '',
    `Service: ${base_url}`,
    `Publisher: ${publisher}`,
    `Capability: ${claim.capability_id}`,
    `Proof: ${claim.file_url}`,
  ].join('\n');

interface VerifyOrder {
  id: string;
  claim_id: string;
  signed?: GivenClaim | undefined;
}

/** Checks the repository's file and makes the claim the verified one. */
export async function verifyOwnership(deps: Deps, by: By, order: VerifyOrder): Promise<CapabilityClaimRow> {
  const userId = by.actor;
  const { claim, publisher } = await ownClaim(deps, userId, order);
  if (claim.status === 'verified') return claim;
  if (claim.status !== 'pending' || claim.expires_at < isoTime(deps.clock.now())) throw claimEnded(claim.status);
  const signed = await withSignature(deps, userId, claim, publisher, order.signed);
  const read = await readProofFile(deps.fetch, claim.file_url);
  if ('failure' in read)
    throw read.failure === 'absent' ? fileAbsent(claim, read.detail) : fileUnreachable(claim, read.detail);
  if (!proves(read.file, signed, publisher.name))
    throw fileAbsent(claim, 'The file exists but does not contain the claim.');
  await checkSkill(deps, claim);
  const others = await outdatedClaims(deps, claim);
  return store(deps, by, { ...signed, status: 'verified' }, others);
}

async function ownClaim({ db }: Deps, userId: string, { id, claim_id }: VerifyOrder) {
  const claim = claim_id.includes('\0') ? undefined : await findClaim(db, claim_id);
  const publisher = claim === undefined ? undefined : await findPublisher(db, claim.publisher_id);
  const group = await groupOf(db, id);
  if (claim === undefined || publisher === undefined || publisher.user_id !== userId) throw claimNotFound();
  if (!idsOf(group.members).includes(claim.capability_id)) throw claimNotFound();
  return { claim, publisher };
}

async function withSignature(
  deps: Deps,
  userId: string,
  claim: CapabilityClaimRow,
  publisher: PublisherRow,
  signed: GivenClaim | undefined,
): Promise<CapabilityClaimRow> {
  if (claim.method !== 'wallet') return claim;
  if (signed === undefined) throw signatureNeeded();
  const text = ownershipText(deps.base_url, publisher.name, claim);
  const { wallet_type, wallet_address, signature } = await verifySignature(deps, userId, text, signed);
  return { ...claim, wallet: `${wallet_type}:${wallet_address}`, signature };
}

/** A folder named by the claimant must contain the listed skill. */
async function checkSkill({ db, fetch, raw_hosts }: Deps, claim: CapabilityClaimRow): Promise<void> {
  const row = await db
    .selectFrom('listings')
    .select(['name', 'listing_type', 'repository', 'install', 'homepage', 'manifest', 'external_id'])
    .where('provider_id', '=', claim.provider_id)
    .where('external_id', '=', claim.external_id)
    .executeTakeFirst();
  const place = row === undefined ? null : placeOf(row);
  if (row === undefined || place === null) throw fileAbsent(claim, 'Its listing no longer has a repository.');
  if (rawUrl(raw_hosts, place, CLAIM_FILE) === claim.file_url) return;
  const read = await readText(fetch, `${claim.file_url.slice(0, -CLAIM_FILE.length)}SKILL.md`);
  const name = 'text' in read ? nameIn(read.text) : undefined;
  const names = [row.name, row.external_id.slice(row.external_id.lastIndexOf('/') + 1)];
  if (name === undefined || !names.includes(name)) throw skillDiffers(row.name);
}

/** Reads the name line by line, so that an untrusted file is scanned in linear time. */
export function nameIn(skill: string): string | undefined {
  const line = skill.split(/\r?\n/).find((line) => line.startsWith('name:'));
  const value = line?.slice('name:'.length).trim() ?? '';
  const bare = /^(["']).*\1$/.test(value) ? value.slice(1, -1).trim() : value;
  return bare === '' ? undefined : bare;
}

/** Verified claims of others that no longer have proof. Throws 409 if one still has: the repository names two owners. */
async function outdatedClaims({ db, fetch }: Deps, claim: CapabilityClaimRow): Promise<ClaimWithName[]> {
  const { members } = await groupOf(db, claim.capability_id);
  const standing = (await claimsOn(db, idsOf(members))).filter(
    (claimWithName) => claimWithName.status === 'verified' && claimWithName.publisher_user_id !== null,
  );
  for (const other of standing) {
    if (other.publisher_id === claim.publisher_id) continue;
    const read = await readProofFile(fetch, other.file_url);
    const isGone = 'failure' in read ? read.failure === 'absent' : !proves(read.file, other, other.publisher);
    if (!isGone) throw claimHeld(other.publisher);
  }
  return standing;
}

function store(deps: Deps, by: By, claim: CapabilityClaimRow, others: ClaimWithName[]): Promise<CapabilityClaimRow> {
  return deps.db.transaction().execute(async (trx) => {
    await nextCapabilitySeq(trx);
    const now = isoTime(deps.clock.now());
    const group = await groupOf(trx, claim.capability_id);
    const ids = idsOf(group.members);
    const meanwhile = (await claimsOn(trx, ids)).find(
      (claimWithName) => claimWithName.status === 'verified' && !others.some(({ id }) => id === claimWithName.id),
    );
    if (meanwhile !== undefined) throw claimHeld(meanwhile.publisher);
    const still = await findClaim(trx, claim.id);
    if (still?.status !== 'pending') throw claimEnded(still?.status ?? 'revoked');
    for (const { id, publisher_id } of others) {
      await changeClaim(trx, id, { status: 'replaced', ended_at: now });
      if (publisher_id !== claim.publisher_id)
        await addEntry(trx, {
          capability_id: group.id,
          change: 'claim_replaced',
          actor: 'automatic',
          publisher_id,
          reason: 'The repository no longer confirms the claim.',
          at: now,
        });
    }
    const verified = { ...claim, verified_at: now, checked_at: now };
    await changeClaim(trx, claim.id, verified);
    const { publisher_id } = claim;
    await addEntry(trx, {
      capability_id: group.id,
      change: 'claimed',
      actor: 'owner',
      publisher_id,
      reason: claim.method,
      at: now,
    });
    await touchCapabilities(trx, ids, deps.clock.now());
    await recordAudit(
      trx,
      { ...by, action: 'marketplace.claim', target: group.id, detail: { claim_id: claim.id } },
      now,
    );
    return verified;
  });
}
