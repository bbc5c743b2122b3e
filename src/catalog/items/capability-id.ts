import type { ListingRow } from '#core/db/schema.ts';

/**
 * Reads the capability that a listing belongs to; null if it is not linked yet. Passed in, because capabilities depend on listings.
 * Must be fast, because each read of a listing waits for it.
 */
export type ReadCapabilityId = (row: Pick<ListingRow, 'provider_id' | 'external_id'>) => Promise<string | null>;
