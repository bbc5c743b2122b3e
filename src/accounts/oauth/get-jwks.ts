import type { AuthDeps } from '#accounts/auth/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { oauthContract } from './contract.ts';

/** Keys are published an hour before they sign, so a cached list of this age includes them. */
const MAX_AGE_S = 900;

/** GET /.well-known/jwks.json */
export const getJwks =
  ({ ring }: Pick<AuthDeps, 'ring'>): Handler<typeof oauthContract.getJwks> =>
  async () =>
    json({ keys: await ring.published() }, { cache_control: `public, max-age=${MAX_AGE_S}` });
