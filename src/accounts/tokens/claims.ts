import type { Static } from 'typebox';
import type { NewSignIn } from '#accounts/auth/signed-in.ts';
import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { SCOPES, type Scope } from '#core/http/caller.ts';
import { compileSchema } from '#core/http/validate.ts';
import { Type } from '#core/json-schema/type.ts';
import { SERVICE } from '#core/service.ts';

/** The claims of a token (RFC 9068), with times in seconds. A token with more or fewer claims is invalid. */

/** How the user authenticated (RFC 8176; `fed` for a federated provider). */
export const METHOD_REFERENCES = { wallet: 'pop', email: 'pwd', google: 'fed' } as const satisfies Record<
  NewSignIn['method'],
  string
>;

const seconds = Type.Integer({ minimum: 0 });
const id = Type.String({ minLength: 1, maxLength: 100 });
/** Ourselves, a registered client, or the URL of a client's document. */
const CLIENT_ID = `^(${SERVICE.name}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|https?://[!-~]+)$`;

export const Claims = Type.Object(
  {
    iss: Type.String(),
    aud: Type.String(),
    sub: id,
    client_id: Type.String({ maxLength: 512, pattern: CLIENT_ID }),
    iat: seconds,
    exp: seconds,
    jti: id,
    sid: id,
    /** Separated by single spaces. */
    scope: Type.String({ pattern: `^(${SCOPES.join('|')})( (${SCOPES.join('|')}))*$` }),
    tier: Type.Enum([...TIER_NAMES]),
    auth_time: seconds,
    amr: Type.Array(Type.Enum(Object.values(METHOD_REFERENCES)), { minItems: 1, maxItems: 1 }),
    /** CAIP-10; only with `pop`. */
    wallet: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type Claims = Static<typeof Claims>;

const check = compileSchema(Claims);

/** Returns the claims, or null if they are not exactly ours. */
export function readClaims(value: unknown): Claims | null {
  if (check(value).length > 0) return null;
  const claims = value as Claims;
  const byWallet = claims.amr[0] === METHOD_REFERENCES.wallet;
  return byWallet === (claims.wallet !== undefined) ? claims : null;
}

export const scopesOf = ({ scope }: Claims): Scope[] => scope.split(' ') as Scope[];
