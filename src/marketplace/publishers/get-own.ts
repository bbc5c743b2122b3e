import type { Static } from 'typebox';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { shownOf } from '#catalog/items/version.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { CapabilityProofRow } from '#core/db/schema-proof.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { claimedBy } from '#marketplace/claims/claimed-by.ts';
import { claimsHeldBy } from '#marketplace/claims/claims.ts';
import { claimShown } from '#marketplace/claims/shapes.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { fullName, type ListingRow, listListingsOf, listVersions } from '#marketplace/listings/listings.ts';
import { latestVersion } from '#marketplace/listings/shapes.ts';
import { membersById } from '#marketplace/moderation/group.ts';
import { listAppealRows } from '#marketplace/moderation/measures.ts';
import { openReports } from '#marketplace/moderation/reports.ts';
import { appealShown } from '#marketplace/moderation/shapes.ts';
import { type CapabilityStanding, inChunks, NOTHING_AGAINST, standingOf } from '#marketplace/moderation/standing-of.ts';
import { proofsOf } from '#marketplace/proof/proofs.ts';
import { subjectOf } from '#marketplace/proof/targets.ts';
import { countTrustedOf } from '#marketplace/trusted-publishers/trusted-publishers.ts';
import { attentionOf, type ClaimedCapability, type Watched } from './attention.ts';
import type { OwnListing, publishersContract } from './contract.ts';
import { findPublisherOf } from './publishers.ts';

type Deps = Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>;

const MOST_APPEALS = 100;
/** Of what has ended, only this is worth knowing. */
const SHOWN_CLAIMS = ['pending', 'verified', 'lapsed'];

/** GET /api/marketplace/publisher */
export const getOwnPublisher =
  (deps: Deps): Handler<typeof publishersContract.getOwn> =>
  async ({ caller: { user_id } }) => {
    const { db, engine, clock } = deps;
    const publisher = await findPublisherOf(db, user_id);
    const page = { limit: MOST_APPEALS, offset: 0 };
    const appeals = (await listAppealRows(db, { status: undefined, capability_ids: null, user_id }, page)).items;
    if (publisher === undefined)
      return json({ publisher: null, attention: [], listings: [], claims: [], appeals: appeals.map(appealShown) });
    const { id, name } = publisher;
    const [watched, held, shownClaims] = await Promise.all([
      watchedOf(deps, id),
      claimsHeldBy(db, id),
      claimedBy(db, engine, id),
    ]);
    const claims = held
      .filter(({ status }) => SHOWN_CLAIMS.includes(status))
      .map((claim) => ({
        ...claimShown(claim, { id, name }),
        name: shownClaims.find((each) => each.id === claim.capability_id)?.name ?? '',
      }));
    const claimed = await claimedWith(deps, claims);
    return json({
      publisher: { id, name },
      attention: attentionOf({ listings: watched, claims, claimed, now_ms: clock.now() }),
      listings: watched.map(({ shown }) => shown),
      claims,
      appeals: appeals.map(appealShown),
    });
  };

type NamedClaim = ReturnType<typeof claimShown> & { name: string };

/** Moderation of claimed capabilities, also of those that were taken down and so are not listed. */
async function claimedWith({ db, engine }: Deps, claims: readonly NamedClaim[]): Promise<ClaimedCapability[]> {
  const verified = claims.filter(({ status }) => status === 'verified');
  const rows = await membersById(
    db,
    verified.map(({ capability_id }) => capability_id),
  );
  const standing = await standingOf(
    connectionOver(db, engine),
    rows.map(({ stands_id }) => stands_id),
  );
  return verified.map(({ capability_id, name }) => {
    const id = rows.find((row) => row.id === capability_id)?.stands_id ?? capability_id;
    return { id, name: name || id, standing: standing.get(id) ?? NOTHING_AGAINST };
  });
}

interface CapabilityOf {
  id: string;
  external_id: string;
  stands_id: string;
}

async function watchedOf({ db, engine }: Deps, publisher_id: string): Promise<Watched[]> {
  const connection = connectionOver(db, engine);
  const listings = await listListingsOf(db, publisher_id);
  const ids = listings.map(({ id }) => id);
  const capabilities = await inChunks<CapabilityOf>(
    connection,
    `SELECT id, external_id, stands_id FROM capabilities WHERE provider_id = '${OWN_SOURCE}' AND external_id IN (#)`,
    ids,
  );
  const [versions, proofs, standing, reports, trusted] = await Promise.all([
    listVersions(db, ids),
    proofsOf(
      db,
      ids.map((id) => subjectOf(OWN_SOURCE, id)),
    ),
    standingOf(
      connection,
      capabilities.map(({ stands_id }) => stands_id),
    ),
    openReports(
      db,
      capabilities.flatMap(({ id, stands_id }) => [id, stands_id]),
    ),
    countTrustedOf(db, ids),
  ]);
  const versionsOf = Map.groupBy(versions, ({ listing_id }) => listing_id);
  const proofsBy = Map.groupBy(proofs, ({ subject }) => subject);
  const capabilityOf = new Map(capabilities.map((capability) => [capability.external_id, capability]));
  return listings.map((listing) => {
    const capability = capabilityOf.get(listing.id);
    const about = [capability?.id, capability?.stands_id];
    const against = standing.get(capability?.stands_id ?? '') ?? NOTHING_AGAINST;
    const open = reports.filter(({ capability_id }) => about.includes(capability_id)).length;
    const shown = listingShown(listing, versionsOf.get(listing.id) ?? [], {
      proofs: proofsBy.get(subjectOf(OWN_SOURCE, listing.id)) ?? [],
      standing: against,
      open_reports: open,
      trusted_publishers: trusted.get(listing.id) ?? 0,
    });
    return { shown, standing: against, capability_id: capability?.stands_id ?? listing.id };
  });
}

interface Around {
  proofs: readonly CapabilityProofRow[];
  standing: CapabilityStanding;
  open_reports: number;
  trusted_publishers: number;
}

function listingShown(
  listing: ListingRow,
  versions: readonly PublishedVersionRow[],
  { proofs, standing, open_reports, trusted_publishers }: Around,
): Static<typeof OwnListing> {
  const shown = shownOf(versions);
  const sum = (of: (row: CapabilityProofRow) => number): number =>
    proofs.reduce((all, row) => all + Number(of(row)), 0);
  const [last_run_at = null] = proofs.map((row) => row.last_run_at).toSorted((a, b) => (a < b ? 1 : -1));
  return {
    id: listing.id,
    name: fullName(listing),
    listing_type: listing.listing_type as 'skill',
    status: listing.status as 'live',
    latest: latestVersion(versions),
    versions: versions.length,
    taken_down: listing.taken_down !== null || standing.takedown !== null,
    updated_at: listing.updated_at,
    runs: sum(({ runs }) => runs),
    completed_runs: sum(({ completed }) => completed),
    last_run_at,
    findings: shown === null ? 0 : JSON.parse(shown.findings).length,
    open_reports,
    flags: standing.flags.length,
    trusted_publishers,
  };
}
