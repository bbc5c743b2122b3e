import type {
  AuthorizationServerMetadata,
  OAuthDiscoveryState,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { defined } from '#core/defined.ts';
import { checkUrl } from '#core/outbound/address.ts';
import { Problem } from '#core/problem/problem.ts';
import type { OAuthFetch } from './oauth-fetch.ts';
import { issuerMismatch, metadataRefused, notOffered, pkceMissing, resourceMismatch } from './problems.ts';
import type { Sdk } from './sdk.ts';

/**
 * Discovers the authorization server of an MCP server: RFC 9728, then RFC 8414 or OpenID Connect Discovery. Everything
 * is verified.
 */

export interface Discovered {
  state: OAuthDiscoveryState & { authorizationServerMetadata: AuthorizationServerMetadata };
  /** The resource of tokens (RFC 8707), as the server writes it; default: its URL. */
  resource: string;
}

interface DiscoverOptions {
  sdk: Sdk;
  way: OAuthFetch;
  server_url: URL;
  /** From the challenge, if there was one. */
  metadata_url: URL | undefined;
  allow_loopback: boolean;
}

/** Throws `sessions.oauth_…` and `outbound.*`. */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { sdk, server_url, metadata_url, allow_loopback } = options;
  const resource = await readResource(options);
  if (resource !== undefined && !isResourceOf(sdk, server_url, resource)) throw resourceMismatch();
  const named = resource?.authorization_servers?.[0];
  const server = await readServer(options, named ?? new URL('/', server_url).href);
  checkServer(server, { allow_loopback });
  const state = {
    authorizationServerUrl: named ?? server.issuer,
    authorizationServerMetadata: server,
    ...defined({
      resourceMetadataUrl: metadata_url === undefined ? undefined : metadata_url.href,
      resourceMetadata: resource,
    }),
  };
  if (JSON.stringify(state).length > MOST_CHARS) throw metadataRefused(`is longer than ${MOST_CHARS} characters`);
  return { state, resource: resource?.resource ?? bare(server_url) };
}

/** Limit of the metadata stored with the flow. */
const MOST_CHARS = 64 * 1024;

/** RFC 6749, appendix A.4. If the server names no scopes, all of its metadata are requested in one URL. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const MOST_SCOPES = 50;

async function readResource({ sdk, way, server_url, metadata_url }: DiscoverOptions) {
  try {
    const options = metadata_url === undefined ? {} : { resourceMetadataUrl: metadata_url };
    const found = await sdk.discoverOAuthProtectedResourceMetadata(server_url, options, way.fetch);
    const { resource, authorization_servers } = found;
    const scopes_supported = found.scopes_supported?.filter((text) => SCOPE.test(text)).slice(0, MOST_SCOPES);
    return withoutUndefined({ resource, authorization_servers, scopes_supported }) as OAuthProtectedResourceMetadata;
  } catch (error) {
    if (error instanceof Problem) throw error;
    const status = way.status();
    // Servers of the first revisions have no metadata, so their own origin is used. Metadata named in a challenge must
    // exist.
    if (status !== null && status >= 400 && status < 500 && metadata_url === undefined) return undefined;
    throw metadataRefused(status !== null && status >= 400 ? `could not be read (${status})` : 'is malformed', error);
  }
}

async function readServer({ sdk, way }: DiscoverOptions, address: string): Promise<AuthorizationServerMetadata> {
  let found: AuthorizationServerMetadata | undefined;
  try {
    found = await sdk.discoverAuthorizationServerMetadata(address, { fetchFn: way.fetch });
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof sdk.IssuerMismatchError) throw issuerMismatch(error);
    throw metadataRefused('is malformed', error);
  }
  if (found === undefined) throw notOffered();
  return withoutUndefined(Object.fromEntries(KEPT.map((name) => [name, found[name]]))) as AuthorizationServerMetadata;
}

/** The members that the flow needs; the rest may be long. */
const KEPT = [
  ...(['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const),
  ...(['response_types_supported', 'code_challenge_methods_supported', 'scopes_supported'] as const),
  ...(['token_endpoint_auth_methods_supported', 'client_id_metadata_document_supported'] as const),
  'authorization_response_iss_parameter_supported',
] as (keyof AuthorizationServerMetadata)[];

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const;

/** The browser is sent to one of these, our secrets to the others. Names are checked again when they are resolved. */
function checkServer(server: AuthorizationServerMetadata, guard: { allow_loopback: boolean }): void {
  for (const name of ENDPOINTS) {
    const address = (server as Partial<Record<string, string>>)[name];
    if (address === undefined) continue;
    const url = URL.parse(address);
    if (url === null) throw metadataRefused(`names a ${name} that is not a valid URL`);
    checkUrl(guard, url);
  }
  if (!server.response_types_supported?.includes('code'))
    throw metadataRefused('does not support the authorization code grant');
  if (!server.code_challenge_methods_supported?.includes('S256')) throw pkceMissing();
}

function isResourceOf(sdk: Sdk, serverUrl: URL, { resource }: OAuthProtectedResourceMetadata): boolean {
  const requestedResource = sdk.resourceUrlFromServerUrl(serverUrl);
  return URL.canParse(resource) && sdk.checkResourceAllowed({ requestedResource, configuredResource: resource });
}

/** Without the query, which may contain a secret of the connection. */
const bare = ({ origin, pathname }: URL): string => origin + pathname;

const withoutUndefined = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
