import { endStolen } from '#accounts/auth/noting.ts';
import { readResource } from '#accounts/auth/resources.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Origin } from '#core/http/operation.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { refreshClientSession, startClientSession } from './client-sessions.ts';
import { noteReplay, takeCode } from './codes.ts';
import type { oauthContract } from './contract.ts';
import type { AuthorizationDeps } from './deps.ts';
import { grantRefused, grantUnknown, resourceRefused } from './grant-refusals.ts';
import { verifierFits } from './pkce.ts';

type Operation = typeof oauthContract.createToken;
type TokenRequest = Parameters<Handler<Operation>>[0]['body'];

/** POST /oauth/token */
export const createToken =
  (deps: AuthorizationDeps): Handler<Operation> =>
  async ({ body, headers, origin }) => {
    const { client_id, refresh_token, scope, resource } = body;
    const user_agent = `${headers['user-agent'] ?? ''}`;
    if (body.grant_type === 'authorization_code') return answer(await redeem(deps, body, { user_agent, origin }));
    if (body.grant_type !== 'refresh_token' || refresh_token === undefined) throw grantUnknown();
    return answer(await refreshClientSession(deps, { refresh_token, client_id, scope, resource, origin }));
  };

const answer = (tokens: object) => json(tokens, { cache_control: 'no-store', headers: { pragma: 'no-cache' } });

/** The code is consumed before any check, so a failure consumes it too. */
async function redeem(
  deps: AuthorizationDeps,
  { code: shown, ...body }: TokenRequest,
  { user_agent, origin }: { user_agent: string; origin: Origin },
) {
  const { db } = deps.database;
  const now = isoTime(deps.clock.now());
  if (shown === undefined) throw grantUnknown();
  const code = await takeCode(db, shown, now);
  if (code === undefined) {
    await endReplayed(deps, shown, now, origin);
    throw grantRefused();
  }
  const { client_id, redirect_uri, code_verifier, resource } = body;
  // OAuth 2.1 no longer sends the redirect URI, because the verifier proves the same. If sent, it must match.
  const isSame = client_id === code.client_id && (redirect_uri ?? code.redirect_uri) === code.redirect_uri;
  if (!isSame || !verifierFits(code_verifier, code.code_challenge)) throw grantRefused();
  if (resource !== undefined && readResource(deps.base_url, resource) !== code.resource) throw resourceRefused();
  return startClientSession(deps, code, user_agent);
}

/** Two clients know one code: the session of the first is revoked, because it may be the thief's. */
async function endReplayed(
  { database: { db }, count }: AuthorizationDeps,
  shown: string,
  now: string,
  origin: Origin,
): Promise<void> {
  const used = await noteReplay(db, shown, now);
  if (used !== undefined) count('code_replayed');
  const signInId = used?.sign_in_id ?? null;
  if (used !== undefined && signInId !== null) await endStolen(db, used.user_id, signInId, now, origin);
}
