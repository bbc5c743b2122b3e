import { accountsProblem } from '#accounts/errors.ts';
import { findUser } from '#accounts/users/users.ts';
import type { Database } from '#core/db/open.ts';
import type { Scope } from '#core/http/caller.ts';
import type { Gates } from '#core/http/gates.ts';

const SCOPES_OF: Record<string, Scope[]> = { pro: ['read', 'write', 'admin'] };

/** Gates that accept a user's id as a token if the account exists; `read:<id>` only has the scope `read`. */
export const openGates = ({ db }: Database): Gates => ({
  guard: {
    admit: async (_operation, { authorization }) => {
      const [, limited, id = ''] = /^Bearer (read:)?(.*)$/.exec(`${authorization}`) ?? [];
      const user = await findUser(db, id);
      if (user === undefined) throw accountsProblem('auth.token_required', 'Nobody of this id.');
      return {
        user_id: user.id,
        tier: user.tier,
        scopes: limited ? ['read'] : (SCOPES_OF[user.tier] ?? ['read', 'write']),
        is_operator: user.is_operator === 1,
        unproven_network: null,
        sign_in_id: null,
        api_key_id: null,
        signed_in_at_ms: null,
      };
    },
    stepUp: async () => {},
  },
  limiter: { has: () => true, take: async () => ({}) },
  replays: { once: (_request, run) => run() },
});
