import { readBearer } from '#accounts/auth/bearer.ts';
import type { AuthDeps } from '#accounts/auth/deps.ts';
import { refreshElsewhere, signInNeeded, tokenInvalid } from '#accounts/auth/refusals.ts';
import { findUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import { SERVICE } from '#core/service.ts';
import type { signInsContract } from './contract.ts';
import { issueToken } from './issue-token.ts';
import { findSignIn, renewSignIn } from './sign-ins.ts';

/** How long the previous token remains valid, for concurrent requests and lost responses. */
const GRACE_MS = 60_000;

type Deps = Pick<AuthDeps, 'database' | 'clock' | 'tokens'>;

/** POST /api/auth/refresh */
export const refreshToken =
  ({ database: { db }, clock, tokens }: Deps): Handler<typeof signInsContract.refresh> =>
  async ({ caller: { user_id, sign_in_id }, headers }) => {
    if (sign_in_id === null) throw signInNeeded();
    const shown = await tokens.verify(readBearer(headers));
    if (typeof shown === 'string') throw tokenInvalid();
    if (shown.client_id !== SERVICE.name) throw refreshElsewhere();
    const now = isoTime(clock.now());
    const previous_until = isoTime(clock.now() + GRACE_MS);
    // A request that loses the race, or repeats with the previous token, gets the current token.
    await renewSignIn(db, { id: sign_in_id, jti: shown.jti, next_jti: newId(), now, previous_until });
    const [signIn, user] = await Promise.all([findSignIn(db, user_id, sign_in_id, now), findUser(db, user_id)]);
    if (signIn === undefined || user === undefined) throw tokenInvalid();
    return json(await issueToken(tokens, signIn, user, clock.now()));
  };
