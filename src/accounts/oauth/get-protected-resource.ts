import { MCP_PATH, SHORT_MCP_PATH } from '#accounts/auth/resources.ts';
import { SCOPES } from '#core/http/caller.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { noSuchPath } from '#core/http/path.ts';
import { SERVICE } from '#core/service.ts';
import type { oauthContract } from './contract.ts';
import { issuerPathOf, METADATA_MAX_AGE_S } from './metadata.ts';
import { USUAL_SCOPES } from './scopes.ts';

/** GET /.well-known/oauth-protected-resource, with the path of a resource appended */
export function getProtectedResource({
  base_url,
}: {
  base_url: string;
}): Handler<typeof oauthContract.getProtectedResource> {
  const issuerPath = issuerPathOf(base_url);
  const paths = new Map(
    ['', MCP_PATH, SHORT_MCP_PATH].flatMap((path) => [path, issuerPath + path].map((text) => [text, path] as const)),
  );
  return ({ raw_path }) => {
    const path = paths.get(raw_path.slice('/.well-known/oauth-protected-resource'.length));
    if (path === undefined) throw noSuchPath();
    const metadata = {
      resource: base_url + path,
      authorization_servers: [base_url],
      // Clients request all scopes listed here, and no tool needs access to the account.
      scopes_supported: path === '' ? SCOPES : USUAL_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: path === '' ? SERVICE.title : `${SERVICE.title} MCP endpoint`,
      resource_documentation: `${base_url}/docs`,
    };
    return json(metadata, { cache_control: `public, max-age=${METADATA_MAX_AGE_S}` });
  };
}
