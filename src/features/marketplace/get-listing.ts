import { type Handler, json } from '../../platform/http/operation.ts';
import type { ListingType } from '../registry/kinds.ts';
import { capabilityDetail } from './capability-detail.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { findCapability } from './identity/capabilities.ts';
import type { Published } from './identity/member.ts';
import { findListing, listChanges } from './listings.ts';
import { refuseTakenDown } from './moderation/refuse-taken-down.ts';
import { capabilityGone, notFound } from './refusals.ts';
import { RUNS } from './runs.ts';
import { carriedName } from './search/carried-skills.ts';
import { latestVersion, listingAt, pathOf, versionOf, versionPath } from './shapes.ts';
import { standingListing } from './standing.ts';
import { newestOf } from './version.ts';

type Deps = Pick<MarketplaceDeps, 'db' | 'connection' | 'runnable' | 'skills'>;

/** GET /api/marketplace/listings/{id} */
export const getListing =
  (deps: Deps): Handler<typeof marketplaceContract.getListing> =>
  async ({ params: { id } }) => {
    // No id holds NUL, and PostgreSQL refuses to be asked.
    if (id.includes('\0')) throw notFound();
    const row = await findCapability(deps.connection, id);
    const own = (await findListing(deps.db, id)) === undefined ? null : await standingListing(deps.db, id);
    if (row !== undefined && row.stands_id !== id) {
      const location = pathOf(row.stands_id);
      return json({ location }, { status: 308, headers: { location } });
    }
    if (row !== undefined) await refuseTakenDown(deps.connection, id);
    const whole = row === undefined && carriedName(id) === null ? null : await capabilityDetail(deps, id);
    // What nobody has looked at yet, and what only whoever pinned it may have: as it is published.
    if (own !== null && whole?.published?.listing.id !== id)
      return json({ ...listingAt(own.listing, newestOf(own.versions)), ...(await ownDetail(deps, own)) });
    if (whole === null) throw row === undefined ? notFound() : capabilityGone(row);
    const { detail, published } = whole;
    return json(published === null ? detail : withOwn(detail, await ownDetail(deps, published)));
  };

const withOwn = <D extends { links: object }, O extends { links: object }>(detail: D, own: O) => ({
  ...detail,
  ...own,
  links: { ...own.links, ...detail.links },
});

/** What is known of what was published here alone. */
async function ownDetail({ db }: Deps, { listing, versions }: Published) {
  const shown = newestOf(versions);
  const { id, publisher_id } = listing;
  const history = await listChanges(db, id);
  return {
    latest: latestVersion(versions),
    versions: versions.map(versionOf),
    history: history.map(({ version, change, actor, reason, at }) => ({ version, change, actor, reason, at })),
    run: RUNS[listing.listing_type as ListingType],
    links: {
      ...{ self: pathOf(id), publisher: `/api/marketplace/publishers/${publisher_id}` },
      version: versionPath(id, shown.version),
    },
  };
}
