import type { Kysely } from 'kysely';
import type { ListingType } from '#catalog/items/kinds.ts';
import type { ReadOwn } from '#catalog/items/own-listings.ts';
import { newestOf } from '#catalog/items/version.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { quoted } from '#core/tools/words.ts';
import { standingListing } from '#marketplace/moderation/standing.ts';
import { readOwnVerification } from '#marketplace/proof/verification-of.ts';
import { itemOf } from './published-cache.ts';
import { RUNS } from './runs.ts';
import { listingAt } from './shapes.ts';

/** Reads a published listing for the registry's tools. */
export const readOwn =
  ({ db, clock }: { db: Kysely<Schema>; clock: Clock }): ReadOwn =>
  async (id) => {
    const { listing, versions } = await standingListing(db, id);
    const shown = listingAt(listing, newestOf(versions));
    const { status, status_reason, findings, claimed } = shown;
    return {
      item: itemOf(shown),
      license: shown.license,
      notes: [
        `Versions: ${versions.map((version) => `${version.version} ${version.status}`).join(', ')}.`,
        ...(status === 'live' ? [] : [`This one is ${status}: ${quoted(status_reason)}`]),
        claimed ? 'Signed by a wallet of its publisher.' : 'Not signed by a wallet.',
        `Static checks: ${findings} findings in its files.`,
      ],
      runs: RUNS[listing.listing_type as ListingType],
      verification: await readOwnVerification({ db, clock }, { listing, versions }),
    };
  };
