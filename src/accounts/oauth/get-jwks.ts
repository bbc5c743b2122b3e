import type { AuthDeps } from '#accounts/auth/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { oauthContract } from './contract.ts';

/** A key is published an hour before it signs; whoever keeps the list this long has read it by then. */
const MAX_AGE_S = 900;

/** GET /.well-known/jwks.json */
export const getJwks =
  ({ ring }: Pick<AuthDeps, 'ring'>): Handler<typeof oauthContract.getJwks> =>
  async () =>
    json({ keys: await ring.published() }, { cache_control: `public, max-age=${MAX_AGE_S}` });
