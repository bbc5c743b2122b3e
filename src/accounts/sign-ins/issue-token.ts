import type { NewSignIn, SignedIn } from '#accounts/auth/signed-in.ts';
import { TIERS } from '#accounts/quotas/tiers.ts';
import { METHOD_REFERENCES } from '#accounts/tokens/claims.ts';
import type { Tokens } from '#accounts/tokens/tokens.ts';
import type { User } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import type { Scope } from '#core/http/caller.ts';
import type { SignIn } from './sign-ins.ts';

/** Lifetime of a client's access token in seconds: shorter than our own, because clients have refresh tokens. */
const CLIENT_TOKEN_S = 3_600;

/** The scopes that the user authorized, or all for our own sessions, as far as the tier grants them now. */
export const scopesNow = ({ scope }: Pick<SignIn, 'scope'>, { tier }: Pick<User, 'tier'>): Scope[] =>
  TIERS[tier].scopes.filter((word) => scope === null || scope.split(' ').includes(word));

/** Issues the current token of a session, with the user's current tier. */
export async function issueToken(tokens: Tokens, sign_in: SignIn, user: User, now_ms: number): Promise<SignedIn> {
  const { client_id, resource } = sign_in;
  const ends = secondsOf(sign_in.expires_at);
  const { token, claims } = await tokens.sign({
    sub: user.id,
    jti: sign_in.current_jti,
    sid: sign_in.id,
    scope: scopesNow(sign_in, user).join(' '),
    tier: user.tier,
    auth_time: secondsOf(sign_in.signed_in_at),
    amr: [METHOD_REFERENCES[sign_in.method as NewSignIn['method']]],
    ...defined({ wallet: sign_in.wallet ?? undefined }),
    ...defined(client_id === null || resource === null ? {} : { client_id, aud: resource }),
    not_after: client_id === null ? ends : Math.min(ends, Math.floor(now_ms / 1_000) + CLIENT_TOKEN_S),
  });
  const { id, display_name, tier, created_at } = user;
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: claims.exp - claims.iat,
    expires_at: isoTime(claims.exp * 1_000),
    user: { id, display_name, tier, created_at },
  };
}

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);
