import type { Kysely } from 'kysely';
import { fold, nameParts, parts as partsOf } from '#catalog/changes/fold.ts';
import { haystackOf, OWN_SOURCE, type OwnHit, type OwnItem, type OwnListings } from '#catalog/items/own-listings.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { lastChange, listChangedAfter, listVersions } from './listings.ts';
import { type Listing, listingOf } from './shapes.ts';

/**
 * Cache of published listings. Searches and lists query the database only for the last change number, at most once a second, so
 * changes by other processes appear within a second, and changes by this process at once.
 */
export interface PublishedCache extends OwnListings {
  /** The current listings, by name. */
  listings(): Promise<readonly CachedListing[]>;
  refresh(): Promise<void>;
}

interface CachedListing {
  listing: Listing;
  /** Folded. */
  haystack: string;
  name: string;
  tags: string[];
}

interface Held extends CachedListing {
  item: OwnItem;
  parts: string[];
}

const FRESH_MS = 1_000;

export function openPublishedCache({ db, clock }: { db: Kysely<Schema>; clock: Clock }): PublishedCache {
  const byId = new Map<string, Held>();
  let sorted: Held[] = [];
  let seq = -1;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const beganMs = clock.now();
    const newest = await lastChange(db);
    while (seq < newest) {
      const changed = await listChangedAfter(db, seq);
      await take(db, byId, changed);
      seq = changed.length === 0 ? newest : (changed.at(-1) as (typeof changed)[number]).seq;
      sorted = [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    }
    lookedMs = beganMs;
  };
  /** One read at a time. A change by this process is seen by a read that starts after it. */
  const refresh = async (): Promise<void> => {
    while (looking !== null) await looking;
    looking = look().finally(() => {
      looking = null;
    });
    await looking;
  };
  const refreshed = (): Promise<void> | null =>
    Math.abs(clock.now() - lookedMs) < FRESH_MS ? null : (looking ?? refresh());
  return {
    refresh,
    refreshed,
    listings: async () => {
      await refreshed();
      return sorted;
    },
    search: (asked) => searched(sorted, asked).sort((a, b) => b.has - a.has || Number(b.is_exact) - Number(a.is_exact)),
  };
}

async function take(
  db: Kysely<Schema>,
  byId: Map<string, Held>,
  changed: Awaited<ReturnType<typeof listChangedAfter>>,
): Promise<void> {
  const versions = Map.groupBy(
    await listVersions(
      db,
      changed.map(({ id }) => id),
    ),
    (version) => version.listing_id,
  );
  for (const row of changed) {
    const listing = listingOf(row, versions.get(row.id) ?? []);
    if (listing === null) byId.delete(row.id);
    else byId.set(row.id, held(listing));
  }
}

function held(listing: Listing): Held {
  const item = itemOf(listing);
  const { name, tags } = listing;
  return {
    listing,
    item,
    haystack: haystackOf(item),
    name: fold(name),
    tags: tags.map(fold),
    parts: nameParts(name),
  };
}

export const itemOf = (listing: Listing): OwnItem => ({
  name: listing.name,
  description: listing.description,
  version: listing.version,
  author: listing.author,
  homepage: '',
  downloads: listing.downloads,
  stars: listing.stars,
  tags: listing.tags,
  source: OWN_SOURCE,
  listing_type: listing.listing_type,
  external_id: listing.id,
  provider_id: OWN_SOURCE,
  external_updated_at: listing.updated_at,
  execution_class: listing.execution_class,
});

/** A plain loop, because each search scans everything and usually finds nothing. */
function searched(
  all: readonly Held[],
  { terms, listing_type, execution_class }: Parameters<OwnListings['search']>[0],
): OwnHit[] {
  const named = partsOf(terms.join(' '));
  const hits: OwnHit[] = [];
  for (const { item, haystack, parts } of all) {
    let has = 0;
    for (const term of terms) if (haystack.includes(term)) has++;
    if (has === 0 || (listing_type !== null && item.listing_type !== listing_type)) continue;
    if (execution_class !== null && item.execution_class !== execution_class) continue;
    hits.push({ item, has, is_exact: parts.length === named.length && named.every((part) => parts.includes(part)) });
  }
  return hits;
}
