import { hash } from 'node:crypto';
import type { ListingRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { Facts, factsIn, heldOf } from './facts.ts';
import type { Item, Listing } from './item.ts';
import type { ExecutionClass, ListingType, ProviderId } from './kinds.ts';
import { verdictsIn } from './verdicts.ts';

/** Converts between a listing and its row. Column names equal field names; objects are stored as JSON. */

export type ContentRow = Omit<
  ListingRow,
  'seq' | 'changed_at' | 'first_seen_at' | 'last_seen_at' | 'seen_run' | 'missed_runs' | 'removed_at' | 'taken_down'
>;

export function contentOf(listing: Listing): ContentRow {
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
  const { verdicts: list = [] } = listing;
  const verdicts = list.length === 0 ? null : storable(JSON.stringify(list));
  const facts = inOrder(listing.facts ?? {});
  const stored = storedFacts(facts);
  // Omitted if empty, so that the digest equals that of versions without them.
  const hashed = [
    ...Object.values(content),
    ...(verdicts === null ? [] : [verdicts]),
    ...(stored === null ? [] : [{ ...facts, versions: newestOf(facts) }]),
  ];
  return {
    ...content,
    verdicts,
    facts: stored,
    facts_held: heldOf(facts),
    digest: hash('sha256', JSON.stringify(hashed), 'hex'),
  };
}

/** The column `facts`. */
export const storedFacts = (facts: Facts): string | null =>
  Object.keys(facts).length === 0 ? null : storable(JSON.stringify(facts));

/** A digest must not depend on the order of members in an import. */
const inOrder = (facts: Facts): Facts =>
  Object.fromEntries(FACT_KEYS.flatMap((key) => (facts[key] === undefined ? [] : [[key, facts[key]]])));

const FACT_KEYS = Object.keys(Facts.properties) as (keyof Facts)[];

/** The history of versions grows with each sync, so only the newest one is part of the digest. */
const newestOf = ({ versions = [] }: Facts) => versions.slice(0, 1);

/** Replaces what a database cannot store: PostgreSQL rejects NUL, and both reject lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();

/** The columns of the registry item. */
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

/** The listing from its row, without former ids. */
export const listingOf = (row: ListingRow): Listing => ({
  ...itemOf(row),
  ...extrasOf(row),
  verdicts: verdictsIn(row.verdicts),
  ...defined({ facts: row.facts == null ? undefined : factsIn(row.facts) }),
  aliases: [],
});
