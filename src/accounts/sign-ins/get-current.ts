import type { AuthDeps } from '#accounts/auth/deps.ts';
import { tokenInvalid } from '#accounts/auth/refusals.ts';
import { readQuota } from '#accounts/quotas/quota.ts';
import { findUser } from '#accounts/users/users.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';

/** GET /api/auth/session */
export const getSession =
  ({
    database: { db },
    clock,
    storage,
  }: Pick<AuthDeps, 'database' | 'clock' | 'storage'>): Handler<typeof signInsContract.getCurrent> =>
  async ({ caller }) => {
    const [user, quota, stored] = await Promise.all([
      findUser(db, caller.user_id),
      readQuota(db, caller, clock.now()),
      storage.read(db, caller),
    ]);
    if (user === undefined) throw tokenInvalid();
    const { id, display_name, tier, created_at, unproven_network } = user;
    return json({
      user: { id, display_name, tier, created_at },
      tier: caller.tier,
      scopes: caller.scopes,
      is_operator: caller.is_operator,
      proof_required: unproven_network !== null && tier === 'free',
      quota,
      storage: stored,
    });
  };
