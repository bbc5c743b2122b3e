import type { Kysely } from 'kysely';
import { readBearer } from '#accounts/auth/bearer.ts';
import { tokenInvalid } from '#accounts/auth/refusals.ts';
import { tierNamed } from '#accounts/quotas/tiers.ts';
import { refuseSuspended } from '#accounts/users/suspension.ts';
import { findUser } from '#accounts/users/users.ts';
import { type Endpoint, findEndpointOf } from '#connections/endpoints/endpoints.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Turn } from '#surfaces/mcp/methods/method.ts';

/** The sender of a message with the token of an endpoint. No other operation accepts the token, and this one accepts no other. */
interface EndpointCaller extends Caller {
  endpoint: Endpoint;
}

/** The endpoint whose token a message was sent with. */
export const endpointIn = ({ exchange }: Turn): Endpoint => (exchange.caller as EndpointCaller).endpoint;

/** Throws `auth.token_required` or `auth.token_invalid`. */
export async function endpointCaller(
  { db, clock }: { db: Kysely<Schema>; clock: Clock },
  headers: Parameters<typeof readBearer>[0],
): Promise<EndpointCaller> {
  const endpoint = await findEndpointOf(db, readBearer(headers), isoTime(clock.now()));
  const user = endpoint === undefined ? undefined : await findUser(db, endpoint.user_id);
  if (endpoint === undefined || user === undefined) throw tokenInvalid();
  refuseSuspended(user);
  return {
    endpoint,
    user_id: user.id,
    tier: tierNamed(user.tier) ?? 'free',
    scopes: [],
    is_operator: false,
    unproven_network: user.unproven_network,
    sign_in_id: null,
    api_key_id: null,
    signed_in_at_ms: null,
  };
}
