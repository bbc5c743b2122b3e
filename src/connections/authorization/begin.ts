import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import type { Vault } from '#connections/connections/seams.ts';
import { defined } from '#core/defined.ts';
import { type AuthChallenge, provokeChallenge } from './challenge.ts';
import { clientMetadataUrl, redirectUri, registrationOf } from './client-metadata.ts';
import { findClient, saveClient } from './clients.ts';
import { type Discovered, discover } from './discover.ts';
import { FLOW_LIFE_MS, hasUnfinished, randomToken, saveFlow } from './flows.ts';
import { findGrant, type Grant } from './grants.ts';
import { oauthFetch, Refused } from './oauth-fetch.ts';
import { clientRefused, explain, scopeRefused } from './problems.ts';
import { type Leg, signInProvider } from './provider.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import { type GivenClient, isFor } from './settings.ts';

/** The first half of an authorization: from a connection to the URL for the user's browser. */

interface SignInDeps extends ConnectionsBase {
  vault: Pick<Vault, 'open'>;
}

interface Beginning {
  /** Identifies the browser, or the program that listens on loopback. */
  browser: string;
  /** A path on this service, or a loopback address. */
  return_to: string | null;
}

/** What the user is asked to allow: the server, the issuer and the scopes. */
interface SignInBegun {
  authorization_url: string;
  expires_at: string;
  /** The resource that the token is for (RFC 8707). */
  server: string;
  issuer: string;
  /** Empty if the authorization server decides. */
  scopes: string[];
  /** `registered` by the operator, by our metadata `document`, or `dynamic` if we registered at the issuer. */
  client: 'registered' | 'document' | 'dynamic';
  /** Its owner allowed the same before: same server and issuer, and no other scopes. */
  is_repeat: boolean;
}

export async function beginSignIn(
  deps: SignInDeps,
  connection: Connection,
  { browser, return_to }: Beginning,
): Promise<SignInBegun> {
  const sdk = await loadSdk();
  // The stored credentials, but not the token, which is being requested.
  const carried = await deps.vault.open({ ...connection, auth: { ...connection.auth, type: 'oauth' } });
  const asked = await provokeChallenge({ sdk, fetch: deps.fetch }, connection, carried);
  const way = oauthFetch(deps.fetch);
  const server_url = new URL(carried.url);
  const guard = { allow_loopback: !deps.production };
  const found = await discover({ sdk, way, server_url, metadata_url: asked.metadata_url, ...guard });
  const { issuer } = found.state.authorizationServerMetadata;
  const given = deps.config.oauth_clients.find((client) => client.issuer === issuer && isFor(client, server_url));
  const grant = await findGrant(deps.db, connection.id);
  const wanted = wantedScope(sdk, { grant, asked, issuer });
  const scope = given?.scopes === undefined ? wanted : allowedScope(given.scopes, wanted, found);
  const state = randomToken();
  const leg: Leg = {
    discovery: found.state,
    client: given === undefined ? await clientAt(deps, connection, found, scope) : registeredClient(given),
  };
  const known = leg.client;
  await runLeg(deps, sdk, { leg, state, found, scope, server_url, fetchFn: way.fetch });
  const { client, verifier, authorization_url } = leg as Required<Leg>;
  if (JSON.stringify(client).length > MOST_CLIENT_CHARS) throw clientRefused();
  const askedScope = authorization_url.searchParams.get('scope') ?? '';
  if (client !== known) await keepClient(deps, issuer, client as StoredOAuthClientInformation);
  const expires_at = await saveFlow(
    deps.database,
    deps.keys,
    {
      state,
      browser,
      return_to,
      verifier,
      discovery: found.state,
      resource: found.resource,
      connection_id: connection.id,
      user_id: connection.user_id,
      server_url: server_url.href,
      scope: askedScope,
      client: client as StoredOAuthClientInformation,
    },
    deps.clock.now(),
  );
  const isDocument = (client as StoredOAuthClientInformation).client_id === clientMetadataUrl(deps.base_url);
  const scopes = askedScope.split(' ').filter((name) => name !== '');
  return {
    authorization_url: authorization_url.href,
    expires_at,
    server: found.resource,
    issuer,
    scopes,
    client: given !== undefined ? 'registered' : isDocument ? 'document' : 'dynamic',
    is_repeat: isRepeat(grant, { issuer, resource: found.resource, scopes }),
  };
}

/** The scopes of the server that the operator allows; all allowed ones if the server names none. */
function allowedScope(allowed: readonly string[], wanted: string | undefined, { state }: Discovered): string {
  const asked = wanted?.split(' ') ?? state.resourceMetadata?.scopes_supported ?? [];
  const scopes = asked.length === 0 ? allowed : asked.filter((name) => allowed.includes(name));
  if (scopes.length === 0) throw scopeRefused();
  return scopes.join(' ');
}

const registeredClient = ({ issuer, client_id, client_secret }: GivenClient): StoredOAuthClientInformation => ({
  issuer,
  client_id,
  ...defined({ client_secret }),
});

/** Limit of a registration response, which is stored for every issuer. */
const MOST_CLIENT_CHARS = 8 * 1024;

interface LegOptions {
  leg: Leg;
  state: string;
  found: Discovered;
  scope: string | undefined;
  server_url: URL;
  fetchFn: ReturnType<typeof oauthFetch>['fetch'];
}

async function runLeg({ base_url }: SignInDeps, sdk: Sdk, options: LegOptions): Promise<void> {
  const { leg, state, found, scope, server_url, fetchFn } = options;
  const server = found.state.authorizationServerMetadata;
  const metadata_url = clientMetadataUrl(base_url);
  const isDocument = server.client_id_metadata_document_supported === true && metadata_url !== null;
  if (leg.client === undefined && !isDocument && server.registration_endpoint === undefined) throw clientRefused();
  const provider = signInProvider({
    leg,
    state,
    metadata_url,
    redirect_uri: redirectUri(base_url),
    resource: found.resource,
    metadata: registrationOf(base_url, server),
  });
  try {
    const more = scope === undefined ? {} : { scope };
    await sdk.auth(provider, { serverUrl: server_url, fetchFn, forceReauthorization: true, ...more });
  } catch (error) {
    // The registration is the only request with a body in this half.
    throw error instanceof Refused ? clientRefused(error) : explain(sdk, error);
  }
}

/** Combines the scopes granted or requested before at this issuer with those the server requires now. */
function wantedScope(
  sdk: Sdk,
  { grant, asked, issuer }: { grant: Grant | undefined; asked: AuthChallenge; issuer: string },
): string | undefined {
  const before =
    grant !== undefined && grant.issuer === issuer && grant.wanted_scope !== '' ? grant.wanted_scope : undefined;
  return sdk.computeScopeUnion(before, asked.scope);
}

/** Without scopes, the issuer decides, and may decide otherwise than before. */
function isRepeat(
  grant: Grant | undefined,
  { issuer, resource, scopes }: Pick<SignInBegun, 'issuer' | 'scopes'> & { resource: string },
): boolean {
  if (grant === undefined || grant.issuer !== issuer || grant.resource !== resource) return false;
  const before = grant.scope.split(' ');
  return scopes.length > 0 && scopes.every((name) => before.includes(name));
}

/** Returns the stored client of this issuer; undefined if our document or a registration is to be used. */
async function clientAt(
  { db, keys, base_url, clock }: SignInDeps,
  { id }: Connection,
  { state }: Discovered,
  scope: string | undefined,
): Promise<StoredOAuthClientInformation | undefined> {
  const { issuer, client_id_metadata_document_supported, registration_endpoint } = state.authorizationServerMetadata;
  if (client_id_metadata_document_supported === true && clientMetadataUrl(base_url) !== null) return undefined;
  const found = await findClient(db, keys, { issuer, redirect_uri: redirectUri(base_url) });
  if (found === undefined || !stillDoes(found.client, scope, clock.now())) return undefined;
  // An issuer that has forgotten the client shows an error and never redirects. A new client is not forgotten yet.
  const isOld = Date.parse(found.created_at) <= clock.now() - FLOW_LIFE_MS;
  const mayRegister = isOld && registration_endpoint !== undefined;
  return mayRegister && (await hasUnfinished(db, id, found.created_at)) ? undefined : found.client;
}

function stillDoes(client: StoredOAuthClientInformation, scope: string | undefined, nowMs: number): boolean {
  const { client_secret_expires_at: ends = 0, scope: may } = client as {
    client_secret_expires_at?: number;
    scope?: string;
  };
  const allowed = may?.split(' ');
  const covers =
    allowed === undefined || (scope ?? '').split(' ').every((word) => word === '' || allowed.includes(word));
  return covers && (ends === 0 || ends * 1_000 > nowMs + 3_600_000);
}

/** A client with a document needs no storage: its URL is fixed. */
async function keepClient(
  { db, keys, base_url, clock }: SignInDeps,
  issuer: string,
  client: StoredOAuthClientInformation,
) {
  if (client.client_id === clientMetadataUrl(base_url)) return;
  await saveClient(db, keys, { issuer, redirect_uri: redirectUri(base_url) }, client, clock.now());
}
