import type { CryptoKey } from 'jose';
import { resourcesOf } from '#accounts/auth/resources.ts';
import type { Clock } from '#core/clock/clock.ts';
import { SERVICE } from '#core/service.ts';
import { type Claims, readClaims } from './claims.ts';
import { jose } from './jose.ts';
import type { KeyRing } from './key-ring.ts';
import { ALGORITHM } from './signing-key.ts';

/** Access tokens: ES256 over the claims of claims.ts, `typ: at+jwt`. The guard looks up the session. */

const TOKEN_LIFETIME_S = 86_400;
const TYPE = 'at+jwt';
const MAX_LENGTH = 4_096;
/** A signature of 64 bytes has one encoding: the last character carries no additional bits. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;

export type NewClaims = Omit<Claims, 'iss' | 'aud' | 'client_id' | 'iat' | 'exp'> & {
  /** `client_id` and `aud` are set for OAuth clients only. */
  client_id?: string;
  /** The resource that the client requested. */
  aud?: string;
  /** The end of the session, which no token outlives. In seconds. */
  not_after: number;
};

export interface Tokens {
  sign(newClaims: NewClaims): Promise<{ token: string; claims: Claims }>;
  /** Returns the claims of a valid token. `expired` is returned only for an otherwise valid one. */
  verify(token: string): Promise<Claims | 'invalid' | 'expired'>;
}

interface TokensDeps {
  ring: Pick<KeyRing, 'signing' | 'verifying'>;
  clock: Clock;
  /** Issuer, and audience of our own tokens. */
  base_url: string;
}

export const createTokens = ({ ring, clock, base_url }: TokensDeps): Tokens => ({
  sign: async ({ not_after, ...rest }) => {
    const iat = Math.floor(clock.now() / 1_000);
    const exp = Math.min(iat + TOKEN_LIFETIME_S, not_after);
    const claims: Claims = { iss: base_url, aud: base_url, client_id: SERVICE.name, iat, exp, ...rest };
    const { id, key } = await ring.signing();
    const { CompactSign } = await jose();
    const token = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: id })
      .sign(key);
    return { token, claims };
  },
  verify: async (token) => {
    const id = token.length > MAX_LENGTH ? null : keyIdOf(token);
    const key = id === null ? undefined : await ring.verifying(id);
    const payload = key === undefined ? null : await verifySignature(token, key);
    const claims = payload === null ? null : readClaims(parse(payload));
    if (claims === null || claims.iss !== base_url || !isMeantForUs(claims, base_url)) return 'invalid';
    return claims.exp > clock.now() / 1_000 ? claims : 'expired';
  },
});

/** A client's token may be for one of our resources; our own is for the whole service. */
const isMeantForUs = ({ client_id, aud }: Claims, baseUrl: string): boolean =>
  client_id === SERVICE.name ? aud === baseUrl : resourcesOf(baseUrl).includes(aud);

/** Returns the payload if this key signed it, otherwise null. Refuses other algorithms. */
export async function verifySignature(jws: string, key: CryptoKey): Promise<Uint8Array | null> {
  if (!FORM.test(jws)) return null;
  const { compactVerify } = await jose();
  try {
    return (await compactVerify(jws, key, { algorithms: [ALGORITHM] })).payload;
  } catch {
    return null;
  }
}

/** Returns the key id of a header that has exactly algorithm, type and key id. */
function keyIdOf(token: string): string | null {
  const header = parse(Buffer.from(token.slice(0, Math.max(0, token.indexOf('.'))), 'base64url'));
  if (typeof header !== 'object' || header === null) return null;
  const { alg, typ, kid, ...rest } = header as Record<string, unknown>;
  const ours = alg === ALGORITHM && typ === TYPE && typeof kid === 'string' && Object.keys(rest).length === 0;
  return ours ? kid : null;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
}
