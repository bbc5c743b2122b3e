import { isoTime } from '../../../platform/clock.ts';
import { TIERS } from '../../users/tiers.ts';
import type { User } from '../../users/users.ts';
import type { NewSignIn, SignedIn } from '../signed-in.ts';
import { METHOD_REFERENCES } from '../tokens/claims.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { SignIn } from './sign-ins.ts';

/** The token that is current for a sign-in, with the user's tier as it is now. */
export async function issueToken(tokens: Tokens, sign_in: SignIn, user: User): Promise<SignedIn> {
  const { token, claims } = await tokens.sign({
    sub: user.id,
    jti: sign_in.current_jti,
    sid: sign_in.id,
    scope: TIERS[user.tier].scopes.join(' '),
    tier: user.tier,
    auth_time: secondsOf(sign_in.signed_in_at),
    amr: [METHOD_REFERENCES[sign_in.method as NewSignIn['method']]],
    ...(sign_in.wallet === null ? {} : { wallet: sign_in.wallet }),
    not_after: secondsOf(sign_in.expires_at),
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
