import { SCOPES } from '#core/http/caller.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { noSuchPath } from '#core/http/path.ts';
import type { oauthContract } from './contract.ts';
import { issuerPathOf, METADATA_MAX_AGE_S } from './metadata.ts';

/** GET /.well-known/oauth-authorization-server, also with the path of the service appended, if it has one */
export function getAuthorizationServer({
  base_url,
}: {
  base_url: string;
}): Handler<typeof oauthContract.getAuthorizationServer> {
  const paths = ['', issuerPathOf(base_url)];
  const metadata = {
    issuer: base_url,
    authorization_endpoint: `${base_url}/oauth/authorize`,
    token_endpoint: `${base_url}/oauth/token`,
    registration_endpoint: `${base_url}/oauth/register`,
    revocation_endpoint: `${base_url}/oauth/revoke`,
    jwks_uri: `${base_url}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base_url}/docs`,
  };
  return ({ raw_path }) => {
    if (!paths.includes(raw_path.slice('/.well-known/oauth-authorization-server'.length))) throw noSuchPath();
    return json(metadata, { cache_control: `public, max-age=${METADATA_MAX_AGE_S}` });
  };
}
