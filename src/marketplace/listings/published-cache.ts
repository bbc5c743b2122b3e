import type { Kysely } from 'kysely';
import { fold } from '#catalog/changes/fold.ts';
import { OWN_SOURCE, type OwnItem } from '#catalog/items/own-listings.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { lastChange, listChangedAfter, listVersions } from './listings.ts';
import { type Listing, listingOf } from './shapes.ts';

/**
 * Cache of published listings. Lists query the database only for the last change number, at most once a second, so changes by other
 * processes appear within a second, and changes by this process at once.
 */
export interface PublishedCache {
  /** The current listings, by name. */
  listings(): Promise<readonly Listing[]>;
  refresh(): Promise<void>;
}

const FRESH_MS = 1_000;

export function openPublishedCache({ db, clock }: { db: Kysely<Schema>; clock: Clock }): PublishedCache {
  const byId = new Map<string, Listing>();
  let sorted: readonly Listing[] = [];
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
      sorted = byName([...byId.values()]);
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
    listings: async () => {
      await refreshed();
      return sorted;
    },
  };
}

async function take(
  db: Kysely<Schema>,
  byId: Map<string, Listing>,
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
    else byId.set(row.id, listing);
  }
}

function byName(listings: readonly Listing[]): Listing[] {
  const named = listings.map((listing) => ({ listing, name: fold(listing.name) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ listing }) => listing);
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
