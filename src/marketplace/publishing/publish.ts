import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { publishingContract } from './contract.ts';
import { publish } from './publish-version.ts';
import { publishedAnswer } from './published-answer.ts';

/** POST /api/marketplace/listings */
export const publishListing =
  (deps: MarketplaceDeps): Handler<typeof publishingContract.publish> =>
  async ({ body, caller, origin }) => {
    const answer = publishedAnswer(body, await publish(deps, { ...caller, origin }, body));
    if (answer.links === null) return json(answer);
    return json(answer, { status: 201, headers: { location: answer.links.listing } });
  };
