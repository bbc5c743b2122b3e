import type { Kysely } from 'kysely';
import type { ReadIcon } from '#catalog/details/fetch-details.ts';
import { catalogProblem } from '#catalog/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Handler } from '#core/http/operation.ts';
import type { itemsContract } from './contract.ts';
import { findLiveListing } from './live-listing.ts';

interface GetIconDeps {
  db: Kysely<Schema>;
  clock: Clock;
  readIcon: ReadIcon;
}

/** GET /api/marketplace/registry/icon. Makes no request: an icon is fetched with the details of its listing. */
export const getItemIcon =
  ({ db, clock, readIcon }: GetIconDeps): Handler<typeof itemsContract.getIcon> =>
  async ({ query: { provider, id, digest } }) => {
    const row = await findLiveListing(db, { provider, external_id: id }, clock.now());
    const icon = await readIcon(row);
    if (icon === null || (digest !== undefined && digest !== icon.digest))
      throw catalogProblem('registry.file_not_found', 'No icon of this listing is stored here.', { reason: 'path' });
    return {
      media_type: icon.media_type,
      body: icon.bytes,
      etag: icon.digest,
      // A takedown ends it within the hour.
      cache_control: 'public, max-age=3600',
      headers: { 'content-security-policy': "default-src 'none'; sandbox" },
    };
  };
