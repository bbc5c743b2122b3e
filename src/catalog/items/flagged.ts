import { keyOf } from '#catalog/search/index/key-table.ts';

/** The flagged listings, for lists of the registry. Passed in by the marketplace, which knows them. */
export interface Flagged {
  /** Equal for equal contents; usable in an ETag. */
  version: string;
  /** False while the marketplace's index is being built, when some flags are missing. */
  is_whole: boolean;
  places: readonly (readonly [provider_id: string, external_id: string])[];
  has(providerId: string, externalId: string): boolean;
}

export interface FlaggedListings {
  /** What is known now. Starts loading if nothing is loaded. */
  known(): Flagged;
  /** Waits until they are loaded, as long as a first search would. */
  read(): Promise<Flagged>;
}

export function flaggedOf(places: Flagged['places'], is_whole: boolean, version: string): Flagged {
  const keys = new Set(places.map(([providerId, externalId]) => keyOf(providerId, externalId)));
  return { version, is_whole, places, has: (providerId, externalId) => keys.has(keyOf(providerId, externalId)) };
}

const NONE = flaggedOf([], true, '');

export const NOTHING_FLAGGED: FlaggedListings = { known: () => NONE, read: async () => NONE };
