import { hash } from 'node:crypto';
import type { ListingRow } from '#core/db/schema.ts';

/**
 * Identifies what a list says about a listing, without its numbers, which change daily, and without what a detail may have added.
 * Details are requested again when it changes.
 */
export const recordKey = (listing: RecordedAs): string =>
  hash(
    'sha256',
    JSON.stringify([
      listing.version,
      listing.external_updated_at,
      listing.name,
      listing.description,
      listing.homepage,
      listing.repository,
      listing.listing_type,
    ]),
    'hex',
  );

type RecordedAs = Pick<
  ListingRow,
  'version' | 'external_updated_at' | 'name' | 'description' | 'homepage' | 'repository' | 'listing_type'
>;

/** Whether a change of the listing shows in its record, so that it need not be requested to find out. */
export const isDated = ({
  version,
  external_updated_at,
}: Pick<RecordedAs, 'version' | 'external_updated_at'>): boolean => version !== '' || external_updated_at !== null;
