import type { ListingRow } from '#core/db/schema.ts';

/**
 * The marketplace's capability that a listing belongs to; null while nobody has looked at it. Who knows stands later in the
 * order and is given. Must be quick: each read of a listing waits for it.
 */
export type ReadCapabilityId = (row: Pick<ListingRow, 'provider_id' | 'external_id'>) => Promise<string | null>;
