import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { shownOf } from '#catalog/items/version.ts';
import type { SeenTools } from '#catalog/probes/seen-tools.ts';
import type { ListingRow } from '#core/db/schema.ts';
import type { PublishedListingRow, PublishedVersionRow } from '#core/db/schema-publishing.ts';

/** A listing as one of those that make a capability. Pure, and light enough for a thread of its own. */

export const LISTING_COLUMNS = [
  ...(['provider_id', 'external_id', 'name', 'description', 'version', 'author', 'homepage', 'downloads'] as const),
  ...(['stars', 'tags', 'listing_type', 'execution_class', 'external_updated_at', 'license', 'repository'] as const),
  ...(['install', 'reported', 'verdicts', 'first_seen_at', 'changed_at'] as const),
] as const;

export type MemberRow = Pick<ListingRow, (typeof LISTING_COLUMNS)[number]>;

export interface Member extends MemberRow {
  /** Its own capability's id. */
  id: string;
  /** The capability it belongs to. */
  stands_id: string;
  /** Of what is published here: the listing with all its versions. */
  published: Published | null;
  /** Of a server: what it showed when it was visited; null where nobody has seen any tools. */
  tools: SeenTools | null;
}

/** What is published here, with its publisher's name. */
export interface PublishedRow extends PublishedListingRow {
  publisher: string;
  publisher_user_id: string | null;
}

export interface Published {
  listing: PublishedRow;
  /** Oldest first. */
  versions: PublishedVersionRow[];
}

const NOTHING_REPORTED = JSON.stringify({ downloads: false, stars: false, updated_at: true });

/** What is published here in the form of a provider's listing; null where no version of it is shown. */
export function memberRowOf({ listing, versions }: Published): MemberRow | null {
  const shown = listing.status === 'live' && listing.taken_down === null ? shownOf(versions) : null;
  if (shown === null) return null;
  return {
    provider_id: OWN_SOURCE,
    external_id: listing.id,
    name: `${listing.publisher}/${listing.name}`,
    description: shown.description,
    version: shown.version,
    author: listing.publisher,
    homepage: '',
    downloads: 0,
    stars: 0,
    tags: shown.tags,
    listing_type: listing.listing_type,
    execution_class: shown.execution_class,
    external_updated_at: listing.updated_at,
    license: shown.license,
    repository: '',
    install: null,
    reported: NOTHING_REPORTED,
    verdicts: null,
    first_seen_at: listing.created_at,
    changed_at: listing.updated_at,
  };
}
