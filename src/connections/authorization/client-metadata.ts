import type { AuthorizationServerMetadata, OAuthClientMetadata } from '@modelcontextprotocol/client';
import { defined } from '#core/defined.ts';
import { SERVICE } from '#core/service.ts';

/** Our client metadata for authorization servers: RFC 7591, and a client ID metadata document at a fixed URL. */

export const CLIENT_METADATA_PATH = '/client-metadata.json';

export const redirectUri = (base_url: string): string => `${base_url}/api/sessions/oauth/callback`;

/** The document's URL as a client id; null if other hosts cannot read it. */
export const clientMetadataUrl = (base_url: string): string | null =>
  base_url.startsWith('https:') ? base_url + CLIENT_METADATA_PATH : null;

const common = (baseUrl: string) => ({
  client_name: SERVICE.title,
  client_uri: baseUrl,
  redirect_uris: [redirectUri(baseUrl)],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  software_id: SERVICE.name,
  software_version: SERVICE.version,
});

/** The document of a public client: it contains no secret, and PKCE binds each code. */
export const clientDocument = (base_url: string) => ({
  client_id: base_url + CLIENT_METADATA_PATH,
  ...common(base_url),
  application_type: 'web',
  token_endpoint_auth_method: 'none',
});

const METHODS = ['client_secret_basic', 'client_secret_post', 'none'];

/**
 * For dynamic registration. Requests a client secret if the server supports one, because a refresh token alone is then
 * useless.
 */
export function registrationOf(base_url: string, server: AuthorizationServerMetadata | undefined): OAuthClientMetadata {
  const supported = server?.token_endpoint_auth_methods_supported;
  const method = supported === undefined ? METHODS[0] : METHODS.find((method) => supported.includes(method));
  return { ...common(base_url), ...defined({ token_endpoint_auth_method: method }) };
}
