import { type Handler, json } from '#core/http/operation.ts';
import { readMetadata } from './client.ts';
import { addClient } from './clients.ts';
import type { oauthContract } from './contract.ts';
import type { AuthorizationDeps } from './deps.ts';

/** POST /oauth/register. Every client is registered as public, so there are no secrets. */
export const registerClient =
  ({ database, clock }: AuthorizationDeps): Handler<typeof oauthContract.registerClient> =>
  async ({ body }) => {
    const metadata = readMetadata(body);
    const nowMs = clock.now();
    const client_id = await addClient(database, metadata, nowMs);
    const registered = {
      client_id,
      client_id_issued_at: Math.floor(nowMs / 1_000),
      client_name: metadata.name,
      redirect_uris: metadata.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return json(registered, { status: 201, cache_control: 'no-store' });
  };
