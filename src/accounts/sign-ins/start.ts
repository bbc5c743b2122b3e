import type { Kysely } from 'kysely';
import { accountChanged } from '#accounts/auth/refusals.ts';
import type { StartSignIn } from '#accounts/auth/signed-in.ts';
import { noteNetwork } from '#accounts/quotas/account-networks.ts';
import type { Tokens } from '#accounts/tokens/tokens.ts';
import { lockUser } from '#accounts/users/users.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import { issueToken } from './issue-token.ts';
import { addSignIn, deleteSpentSignIns, revokeOldest, type SignIn } from './sign-ins.ts';

/** A session ends here, however often it is refreshed. */
const LIFETIME_MS = 30 * 86_400_000;
const MAX_USER_AGENT = 200;
/** Concurrent sessions per user; another one ends the oldest. */
export const MOST_SIGN_INS = 100;

interface StartDeps {
  db: Kysely<Schema>;
  clock: Clock;
  tokens: Tokens;
}

export const createStartSignIn =
  ({ db, clock, tokens }: StartDeps): StartSignIn =>
  async ({ user, method, wallet, user_agent, origin, stillLeads }) => {
    const now = isoTime(clock.now());
    const signIn = newSignIn({ user_id: user.id, method, wallet, user_agent }, clock.now());
    const signedIn = await issueToken(tokens, signIn, user, clock.now());
    await db.transaction().execute(async (trx) => {
      // Revoking sessions also locks the account: a proof from before that must not start a session after it.
      if (!(await lockUser(trx, user.id)) || !(await stillLeads(trx))) throw accountChanged();
      await addSignIn(trx, signIn);
      if (origin !== undefined) await noteNetwork(trx, user.id, origin.address, now);
      await revokeOldest(trx, user.id, now, MOST_SIGN_INS);
      await deleteSpentSignIns(trx, user.id, now);
      const by = { actor: user.id, origin };
      await recordAudit(trx, { ...by, action: 'auth.sign_in', target: signIn.id, detail: { method } }, now);
    });
    return signedIn;
  };

type SignedIn = Pick<SignIn, 'user_id' | 'method' | 'wallet' | 'user_agent'>;

export function newSignIn({ user_id, method, wallet, user_agent }: SignedIn, now_ms: number): SignIn {
  const now = isoTime(now_ms);
  return {
    id: newId(),
    user_id,
    method,
    wallet,
    user_agent: plainAgent(user_agent),
    signed_in_at: now,
    refreshed_at: now,
    expires_at: isoTime(now_ms + LIFETIME_MS),
    current_jti: newId(),
    previous_jti: null,
    previous_until: null,
    revoked_at: null,
    client_id: null,
    client_name: null,
    resource: null,
    scope: null,
    refresh_family_hash: null,
    refresh_hash: null,
    refresh_previous_hash: null,
    refresh_salt: null,
  };
}

/** Makes an untrusted User-Agent safe to show in a list. */
export const plainAgent = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT);
