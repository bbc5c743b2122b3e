import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { refuseSuspendedUser } from '#accounts/users/suspension.ts';
import { NOBODY, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { TrustedPublisherRow } from '#core/db/schema-publishing.ts';
import { type Handler, json, type Origin } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { findListingAt, fullName, type ListingRow } from '#marketplace/listings/listings.ts';
import { notFound } from '#marketplace/listings/refusals.ts';
import type { trustedPublishersContract } from './contract.ts';
import { identityVerifier, type VerifiedToken } from './identity-token.ts';
import { noMatch, ownerChanged, tokenUsed } from './refusals.ts';
import { insertPublishToken, listTrusted, noteUse, useIdentity } from './trusted-publishers.ts';
import type { Workload } from './workload.ts';

const TOKEN_LIFETIME_MS = 15 * 60_000;
/** Longer than the clocks of two machines differ. */
const SPARE_MS = 120_000;
const TOKEN_PREFIX = 'capub_';

/** POST /api/marketplace/publishing/token */
export function exchangeToken(deps: MarketplaceDeps): Handler<typeof trustedPublishersContract.exchange> {
  const { db, clock, fetch, base_url, limits } = deps;
  const verify = identityVerifier({ fetch, clock, base_url, issuers: limits.trusted_issuers });
  return async ({ body, origin }) => {
    const verified = await verify(body.token);
    const listing = await findListingAt(db, body.listing);
    if (listing === undefined || listing.publisher_user_id === null) throw notFound();
    await refuseSuspendedUser(db, listing.publisher_user_id);
    const trusted = await trustedFor(db, listing, verified);
    if (trusted === undefined) {
      await noteRefused(deps, listing, origin);
      throw noMatch(fullName(listing), verified.workload);
    }
    const token = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
    const expires_at = await issue(deps, { listing, trusted, verified, token, origin });
    const { repository, workflow } = verified.workload;
    return json(
      { token, expires_at, listing: { id: listing.id, name: fullName(listing) }, repository, workflow },
      { cache_control: 'no-store' },
    );
  };
}

/** Code hosts ignore case in these names. */
const isAlike = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

async function trustedFor(
  db: Kysely<Schema>,
  listing: ListingRow,
  { issuer, workload }: VerifiedToken,
): Promise<TrustedPublisherRow | undefined> {
  const matching = (await listTrusted(db, listing.id)).filter(
    (row) =>
      row.issuer === issuer.name &&
      isAlike(row.repository, workload.repository) &&
      row.workflow === workload.workflow &&
      (row.environment === '' || isAlike(row.environment, workload.environment)),
  );
  return (
    matching.find((row) => row.owner_id === null || row.owner_id === workload.owner_id) ??
    refuseOwner(matching, workload)
  );
}

/** A deleted account's name can be taken by another one, which must not publish. */
function refuseOwner(matching: readonly TrustedPublisherRow[], workload: Workload): undefined {
  if (matching.length > 0) throw ownerChanged(workload);
  return undefined;
}

interface Issued {
  listing: ListingRow;
  trusted: TrustedPublisherRow;
  verified: VerifiedToken;
  token: string;
  origin: Origin;
}

async function issue(
  { db, clock }: MarketplaceDeps,
  { listing, trusted, verified, token, origin }: Issued,
): Promise<string> {
  const { issuer, workload, jti, expires_at_ms } = verified;
  const now = isoTime(clock.now());
  const expires_at = isoTime(clock.now() + TOKEN_LIFETIME_MS);
  const { owner_id, ...shown } = workload;
  await db.transaction().execute(async (trx) => {
    if (!(await useIdentity(trx, issuer.url, jti, isoTime(expires_at_ms + SPARE_MS)))) throw tokenUsed();
    await noteUse(trx, trusted.id, owner_id, now);
    const published_by = JSON.stringify({ issuer: issuer.name, ...shown });
    await insertPublishToken(trx, token, {
      trusted_publisher_id: trusted.id,
      published_by,
      created_at: now,
      expires_at,
    });
    const entry = { actor: listing.publisher_user_id as string, origin, target: listing.id } as const;
    await recordAudit(
      trx,
      { ...entry, action: 'marketplace.exchange_token', detail: { trusted_publisher: trusted.id } },
      now,
    );
  });
  return expires_at;
}

const noteRefused = ({ db, clock }: MarketplaceDeps, { id }: ListingRow, origin: Origin): Promise<void> =>
  recordAudit(
    db,
    { actor: NOBODY, origin, action: 'marketplace.exchange_token', target: id, outcome: 'refused' },
    isoTime(clock.now()),
  );
