import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { groupOf, idsOf } from '#marketplace/moderation/group.ts';
import { claimsOn } from './claims.ts';
import type { claimsContract } from './contract.ts';
import { claimShown } from './shapes.ts';

/** GET /api/marketplace/listings/{id}/claims: verified claims for everyone, and all claims of the caller. */
export const listClaims =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof claimsContract.list> =>
  async ({ params: { id }, caller }) => {
    const claims = await claimsOn(db, idsOf((await groupOf(db, id)).members));
    const isOwn = (userId: string | null): boolean => userId !== null && userId === caller?.user_id;
    const shown = claims.filter((claim) => claim.status === 'verified' || isOwn(claim.publisher_user_id));
    return json({ items: shown.map((claim) => claimShown(claim, { id: claim.publisher_id, name: claim.publisher })) });
  };
