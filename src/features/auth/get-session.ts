import { type Handler, json } from '../../platform/http/operation.ts';
import { readQuota } from '../users/quota.ts';
import { findUser } from '../users/users.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { tokenInvalid } from './refusals.ts';

/** GET /api/auth/session */
export const getSession =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInOperations.getSession> =>
  async ({ caller }) => {
    const [user, quota] = await Promise.all([findUser(db, caller.user_id), readQuota(db, caller, clock.now())]);
    if (user === undefined) throw tokenInvalid();
    const { id, display_name, tier, created_at } = user;
    return json({ user: { id, display_name, tier, created_at }, tier: caller.tier, scopes: caller.scopes, quota });
  };
