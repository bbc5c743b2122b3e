import type { Static } from 'typebox';
import type { Published } from '#catalog/identity/capabilities.ts';
import { findCapability } from '#catalog/identity/capabilities.ts';
import { capabilityNamed } from '#catalog/identity/named.ts';
import type { ListingType } from '#catalog/items/kinds.ts';
import { builtInId, builtInName } from '#catalog/items/own-listings.ts';
import { newestOf } from '#catalog/items/version.ts';
import { withNearest } from '#catalog/search/nearest.ts';
import { refuseTakenDown } from '#marketplace/moderation/refuse-taken-down.ts';
import { standingListing } from '#marketplace/moderation/standing.ts';
import { capabilityDetail } from './capability-detail.ts';
import type { MarketplaceDeps } from './deps.ts';
import { findListing, listChanges } from './listings.ts';
import { capabilityGone, notFound } from './refusals.ts';
import { RUNS } from './runs.ts';
import { type ListingDetail, latestVersion, listingAt, pathOf, versionOf, versionPath } from './shapes.ts';

/** The detail of a capability, or the id of the one that it was merged into. */

export type ListingDeps = Pick<
  MarketplaceDeps,
  'db' | 'connection' | 'runnable' | 'readDetails' | 'skills' | 'nearest' | 'index' | 'has_model'
>;

export interface KnownListing {
  detail: Static<typeof ListingDetail>;
  /** The listing published here, if any. */
  published: Published | null;
}

export const readListing = (deps: ListingDeps, name: string): Promise<KnownListing | { moved_to: string }> =>
  readNamed(deps, name).catch((error) => {
    throw withNearest(error, deps.nearest, name);
  });

async function readNamed(deps: ListingDeps, id: string): Promise<KnownListing | { moved_to: string }> {
  // PostgreSQL rejects NUL, and no id contains it.
  if (id.includes('\0')) throw notFound();
  if (deps.skills.skills.some(({ name }) => name === id)) return { moved_to: builtInId(id) };
  const named = id.includes('/') && builtInName(id) === null ? await capabilityNamed(deps.db, id) : null;
  if (named !== null) return { moved_to: named };
  const row = await findCapability(deps.connection, id);
  const own = (await findListing(deps.db, id)) === undefined ? null : await standingListing(deps.db, id);
  if (row !== undefined && row.stands_id !== id) return { moved_to: row.stands_id };
  if (row !== undefined) await refuseTakenDown(deps.connection, id);
  const whole = row === undefined && builtInName(id) === null ? null : await capabilityDetail(deps, id);
  // Listings that are not linked yet, and yanked ones, are shown as published.
  if (own !== null && whole?.published?.listing.id !== id) {
    const at = listingAt(own.listing, newestOf(own.versions), deps.has_model);
    return { detail: asAnswered({ ...at, ...(await ownDetail(deps, own)) }), published: own };
  }
  if (whole === null) throw row === undefined ? notFound() : capabilityGone(row);
  const { detail, published } = whole;
  return {
    detail: asAnswered(published === null ? detail : withOwn(detail, await ownDetail(deps, published))),
    published,
  };
}

/** A cast to the contract's type. A test validates responses against the schema. */
const asAnswered = (detail: object) => detail as KnownListing['detail'];

const withOwn = <D extends { links: object }, O extends { links: object }>(detail: D, own: O) => ({
  ...detail,
  ...own,
  links: { ...own.links, ...detail.links },
});

/** Details of published listings. */
async function ownDetail({ db }: ListingDeps, { listing, versions }: Published) {
  const shown = newestOf(versions);
  const { id, publisher_id } = listing;
  const history = await listChanges(db, id);
  return {
    latest: latestVersion(versions),
    versions: versions.map(versionOf),
    history: history.map(({ version, change, actor, reason, at }) => ({ version, change, actor, reason, at })),
    run: RUNS[listing.listing_type as ListingType],
    links: {
      self: pathOf(id),
      publisher: `/api/marketplace/publishers/${publisher_id}`,
      version: versionPath(id, shown.version),
    },
  };
}
