import { latest } from './adapt-fields.ts';
import type { Adapted } from './provider.ts';

/** The latest update time among the listings of a page, or null. */
export const pageWatermark = (records: readonly Adapted[]): string | null =>
  latest(records.map((record) => (record.kind === 'listing' ? record.listing.external_updated_at : null)));
