import { type Handler, json } from '../../platform/http/operation.ts';
import { readQuota } from '../users/quota.ts';
import { findUser } from '../users/users.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { tokenInvalid } from './refusals.ts';

/** GET /api/auth/session */
export const getSession =
  ({
    database: { db },
    clock,
    storage,
  }: Pick<AuthDeps, 'database' | 'clock' | 'storage'>): Handler<typeof signInOperations.getSession> =>
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
      proof_required: unproven_network !== null && tier === 'free',
      quota,
      storage: stored,
    });
  };
