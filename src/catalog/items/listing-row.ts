import { hash } from 'node:crypto';
import type { ListingRow } from '#core/db/schema.ts';
import type { Item, Listing } from './item.ts';
import type { ExecutionClass, ListingType, ProviderId } from './kinds.ts';
import { verdictsIn } from './verdicts.ts';

/** Between a listing and its row. The row's names are the listing's; only JSON is packed. */

export type ContentRow = Omit<
  ListingRow,
  'seq' | 'changed_at' | 'first_seen_at' | 'last_seen_at' | 'seen_run' | 'missed_runs' | 'removed_at' | 'taken_down'
>;

export const contentOf = (listing: Listing): ContentRow => {
  const content = {
    provider_id: listing.provider_id,
    external_id: listing.external_id,
    name: storable(listing.name),
    description: storable(listing.description),
    version: storable(listing.version),
    author: storable(listing.author),
    homepage: storable(listing.homepage),
    downloads: listing.downloads,
    stars: listing.stars,
    tags: JSON.stringify(listing.tags),
    listing_type: listing.listing_type,
    execution_class: listing.execution_class,
    external_updated_at: listing.external_updated_at,
    license: storable(listing.license),
    repository: storable(listing.repository),
    install: listing.install === null ? null : JSON.stringify(listing.install),
    manifest: listing.manifest === null ? null : JSON.stringify(listing.manifest),
    reported: JSON.stringify(listing.reported),
  };
  const { verdicts: said = [] } = listing;
  const verdicts = said.length === 0 ? null : storable(JSON.stringify(said));
  // Left out where there are none, so that listings saved by a version that knew no verdicts are no others.
  const hashed = [...Object.values(content), ...(verdicts === null ? [] : [verdicts])];
  return { ...content, verdicts, digest: hash('sha256', JSON.stringify(hashed), 'hex') };
};

/** What both engines can hold: PostgreSQL's text has no NUL, and neither keeps half a surrogate pair. */
export const storable = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();

/** The columns that make the registry item. */
export type ItemRow = Pick<ListingRow, Exclude<keyof Item, 'source'>>;

/** The registry item, in wire order. */
export const itemOf = (row: ItemRow): Item => ({
  name: row.name,
  description: row.description,
  version: row.version,
  author: row.author,
  homepage: row.homepage,
  downloads: row.downloads,
  stars: row.stars,
  tags: JSON.parse(row.tags),
  source: row.provider_id as ProviderId,
  listing_type: row.listing_type as ListingType,
  external_id: row.external_id,
  provider_id: row.provider_id as ProviderId,
  external_updated_at: row.external_updated_at,
  execution_class: row.execution_class as ExecutionClass,
});

export const extrasOf = (row: Pick<ListingRow, 'license' | 'repository' | 'install' | 'manifest' | 'reported'>) => ({
  license: row.license,
  repository: row.repository,
  install: row.install === null ? null : JSON.parse(row.install),
  manifest: row.manifest === null ? null : JSON.parse(row.manifest),
  reported: JSON.parse(row.reported) as Listing['reported'],
});

/** The listing that the row was made of, but for its former ids. */
export const listingOf = (row: ListingRow): Listing => ({
  ...itemOf(row),
  ...extrasOf(row),
  verdicts: verdictsIn(row.verdicts),
  aliases: [],
});
