import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { groupOf, idsOf } from '#marketplace/moderation/group.ts';
import { claimsOn } from './claims.ts';
import type { claimsContract } from './contract.ts';
import { claimShown } from './shapes.ts';

/** GET /api/marketplace/listings/{id}/claims: the verified ones for everybody, and all of one's own. */
export const listClaims =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof claimsContract.list> =>
  async ({ params: { id }, caller }) => {
    const claims = await claimsOn(db, idsOf((await groupOf(db, id)).members));
    const is_own = (user_id: string | null): boolean => user_id !== null && user_id === caller?.user_id;
    const shown = claims.filter((it) => it.status === 'verified' || is_own(it.publisher_user_id));
    return json({ items: shown.map((it) => claimShown(it, { id: it.publisher_id, name: it.publisher })) });
  };
