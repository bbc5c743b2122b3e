import { keyOf } from '#catalog/search/index/key-table.ts';

/** Which listings something is held against, for lists of the registry: the marketplace knows it and is given. */
export interface Flagged {
  /** The same for the same listings. Fits into an ETag. */
  version: string;
  /** False while the marketplace's index is being built: more may be flagged. */
  is_whole: boolean;
  places: readonly (readonly [provider_id: string, external_id: string])[];
  has(provider_id: string, external_id: string): boolean;
}

export interface FlaggedListings {
  /** What is known now; begins to find out where nothing is. */
  known(): Flagged;
  /** Waits for it, as long as a first search would. */
  read(): Promise<Flagged>;
}

export function flaggedOf(places: Flagged['places'], is_whole: boolean, version: string): Flagged {
  const keys = new Set(places.map(([provider_id, external_id]) => keyOf(provider_id, external_id)));
  return { version, is_whole, places, has: (provider_id, external_id) => keys.has(keyOf(provider_id, external_id)) };
}

const NONE = flaggedOf([], true, '');

export const NOTHING_FLAGGED: FlaggedListings = { known: () => NONE, read: async () => NONE };
