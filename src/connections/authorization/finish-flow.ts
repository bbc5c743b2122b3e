import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { findConnection, updateConnection } from '#connections/connections/connections.ts';
import { refuseTakenDown } from '#connections/connections/usable-connection.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import type { Origin } from '#core/http/operation.ts';
import { accountIn } from './account.ts';
import { isMeantFor } from './audience.ts';
import { redirectUri, registrationOf } from './client-metadata.ts';
import { forgetClient } from './clients.ts';
import type { Flow } from './flows.ts';
import { postRevocation } from './give-back.ts';
import { putGrant } from './grants.ts';
import { oauthFetch, Refused } from './oauth-fetch.ts';
import { audienceMismatch, denied, explain, failed, stateUnknown } from './problems.ts';
import { type Leg, signInProvider } from './provider.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import { type HeldTokens, heldTokens, isUsable, writeTokens } from './tokens.ts';

/** The second half of an authorization: from the callback's parameters to tokens in the vault. */

interface Callback {
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/**
 * Called after the flow was consumed. Returns the authorized connection. Throws `sessions.oauth_…` and `outbound.*`.
 */
export async function finishSignIn(
  deps: ConnectionsBase,
  flow: Flow,
  callback: Callback,
  origin?: Origin,
): Promise<Connection> {
  const sdk = await loadSdk();
  const connection = await findConnection(deps.db, { user_id: flow.user_id, id: flow.connection_id });
  if (connection === undefined) throw stateUnknown();
  await refuseTakenDown(deps.db, connection);
  checkIssuer(sdk, flow, callback);
  if (callback.code === undefined) throw callback.error === 'access_denied' ? denied() : failed();
  const asked_at_ms = deps.clock.now();
  const tokens = await exchange(deps, sdk, flow, { ...callback, code: callback.code });
  const signed = { flow, tokens, asked_at_ms, origin };
  if (!isMeantFor(tokens.access_token, flow.resource)) {
    await postRevocation(deps.db, deps, flow.discovery, tokensOf(signed, 0)).catch(() => {});
    throw audienceMismatch();
  }
  return store(deps, connection, signed).catch(async (error) => {
    // Tokens that cannot be stored are revoked, for example because the connection was deleted in the meantime.
    await postRevocation(deps.db, deps, flow.discovery, tokensOf(signed, 0)).catch(() => {});
    throw error;
  });
}

/** Checked before the error is trusted too, because anyone can forge a callback. RFC 9207. */
function checkIssuer(sdk: Sdk, { discovery }: Flow, { iss }: Callback): void {
  const server = discovery.authorizationServerMetadata;
  const issParameterSupported =
    (server as { authorization_response_iss_parameter_supported?: unknown })
      .authorization_response_iss_parameter_supported === true;
  try {
    sdk.validateAuthorizationResponseIssuer({ iss, expectedIssuer: server?.issuer, issParameterSupported });
  } catch (error) {
    throw explain(sdk, error);
  }
}

async function exchange(
  { base_url, fetch, db }: ConnectionsBase,
  sdk: Sdk,
  flow: Flow,
  { code, iss }: Callback & { code: string },
): Promise<OAuthTokens> {
  const { discovery, client, verifier, resource, scope, server_url } = flow;
  const leg: Leg = { discovery, client, verifier };
  const redirect_uri = redirectUri(base_url);
  const metadata = registrationOf(base_url, discovery.authorizationServerMetadata);
  const provider = signInProvider({ leg, redirect_uri, metadata, metadata_url: null, state: '', resource });
  try {
    await sdk.auth(provider, {
      serverUrl: server_url,
      authorizationCode: code,
      fetchFn: oauthFetch(fetch).fetch,
      ...defined({ iss, scope: scope || undefined }),
    });
  } catch (error) {
    // The next authorization registers again.
    const { issuer } = discovery.authorizationServerMetadata ?? {};
    if (error instanceof Refused && error.error === 'invalid_client' && issuer !== undefined)
      await forgetClient(db, { issuer, redirect_uri });
    throw explain(sdk, error);
  }
  const { tokens } = leg;
  if (tokens === undefined || !isUsable(tokens)) throw failed();
  return tokens;
}

interface Signed {
  flow: Flow;
  tokens: OAuthTokens;
  asked_at_ms: number;
  origin: Origin | undefined;
}

const tokensOf = ({ flow, tokens, asked_at_ms }: Signed, version: number): HeldTokens =>
  heldTokens({ tokens, client: flow.client, version, asked_scope: flow.scope, asked_at_ms });

async function store(deps: ConnectionsBase, connection: Connection, signedIn: Signed): Promise<Connection> {
  const { db, keys, clock } = deps;
  const { flow, tokens } = signedIn;
  const { client, discovery, resource } = flow;
  const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
  return db.transaction().execute(async (trx) => {
    const scope = tokens.scope ?? flow.scope;
    const version = await putGrant(trx, {
      connection_id: connection.id,
      issuer,
      resource,
      scope,
      discovery,
      client_id: client.client_id,
      now_ms: clock.now(),
    });
    await writeTokens(trx, keys, connection, tokensOf(signedIn, version), clock.now());
    const { account: was, previous_account: _, ...before } = connection.auth;
    const account = accountIn(tokens.id_token);
    const previous_account = was === account ? undefined : was;
    const auth = { ...before, ...defined({ account, previous_account }), type: 'oauth' as const, oauth: true };
    const signed = await updateConnection(trx, connection.id, { auth, status: 'ready', last_error: null });
    if (signed === undefined) throw stateUnknown();
    const { origin } = signedIn;
    const entry = { actor: flow.user_id, origin, action: 'sessions.grant', target: connection.id } as const;
    await recordAudit(
      trx,
      {
        ...entry,
        detail: { issuer, scope, ...defined({ other_account: previous_account === undefined ? undefined : true }) },
      },
      isoTime(clock.now()),
    );
    return signed;
  });
}
