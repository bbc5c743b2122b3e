import { readBearer } from '#accounts/auth/bearer.ts';
import { refuseSuspendedUser } from '#accounts/users/suspension.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { findListing, fullName } from '#marketplace/listings/listings.ts';
import { publish } from '#marketplace/publishing/publish-version.ts';
import { publishedAnswer } from '#marketplace/publishing/published-answer.ts';
import type { trustedPublishersContract } from './contract.ts';
import { otherListing, publishTokenUnknown } from './refusals.ts';
import { findPublishToken } from './trusted-publishers.ts';

/** POST /api/marketplace/publishing/ci. No other operation accepts a publish token, and this one accepts no other credential. */
export const publishFromCi =
  (deps: MarketplaceDeps): Handler<typeof trustedPublishersContract.publish> =>
  async ({ body, headers, origin }) => {
    const { db, clock } = deps;
    const found = await findPublishToken(db, readBearer(headers), isoTime(clock.now()));
    const listing = found === undefined ? undefined : await findListing(db, found.listing_id);
    if (found === undefined || listing === undefined || listing.publisher_user_id === null) throw publishTokenUnknown();
    await refuseSuspendedUser(db, listing.publisher_user_id);
    const name = fullName(listing);
    if (body.name !== name) throw otherListing(name);
    const by = { user_id: listing.publisher_user_id, is_operator: false, origin, published_by: found.published_by };
    const answer = publishedAnswer(body, await publish(deps, by, body));
    if (answer.links === null) return json(answer);
    return json(answer, { status: 201, headers: { location: answer.links.listing } });
  };
