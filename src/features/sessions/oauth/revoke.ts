import type { SessionsBase } from '../base.ts';
import type { Connection } from '../connection.ts';
import { findGrant } from './grants.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { loadSdk } from './sdk.ts';
import { type HeldTokens, readTokens } from './tokens.ts';

const TIMEOUT_MS = 3_000;

/** Gives the tokens back to their issuer (RFC 7009). Best effort: never throws, and takes no longer than 3 s. */
export async function revokeTokens(base: SessionsBase, connection: Connection): Promise<void> {
  try {
    const held = await readTokens(base.db, base.keys, connection);
    const grant = await findGrant(base.db, connection.id);
    const server = grant?.discovery.authorizationServerMetadata as Server | undefined;
    if (held === null || server?.revocation_endpoint === undefined) return;
    const sdk = await loadSdk();
    const { fetch } = oauthFetch(base.fetch, AbortSignal.timeout(TIMEOUT_MS));
    const methods = server.revocation_endpoint_auth_methods_supported ?? server.token_endpoint_auth_methods_supported;
    const request = revocation(held, sdk.selectClientAuthMethod(held.client, methods ?? []));
    await fetch(server.revocation_endpoint, { method: 'POST', ...request });
  } catch (error) {
    base.log.debug({ err: error, connection_id: connection.id }, 'tokens were not revoked');
  }
}

interface Server {
  revocation_endpoint?: string;
  revocation_endpoint_auth_methods_supported?: string[];
  token_endpoint_auth_methods_supported?: string[];
}

/** The refresh token where there is one: the issuer ends its access tokens with it. */
function revocation({ refresh_token, access_token, client }: HeldTokens, method: string) {
  const { client_id, client_secret = '' } = client;
  const body = new URLSearchParams({
    token: refresh_token ?? access_token,
    token_type_hint: refresh_token === null ? 'access_token' : 'refresh_token',
  });
  const headers: Record<string, string> = {};
  if (method === 'client_secret_basic')
    headers.authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  else body.set('client_id', client_id);
  if (method === 'client_secret_post') body.set('client_secret', client_secret);
  return { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body };
}
