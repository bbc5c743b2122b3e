import type { Routes } from '#core/http/operation.ts';
import type { oauthContract } from './contract.ts';
import { createToken } from './create-token.ts';
import type { PageDeps } from './deps.ts';
import { getAuthorizationServer } from './get-authorization-server.ts';
import { getJwks } from './get-jwks.ts';
import { getProtectedResource } from './get-protected-resource.ts';
import { registerClient } from './register-client.ts';
import { revokeToken } from './revoke-token.ts';

export const oauthRoutes = (deps: PageDeps): Routes<typeof oauthContract> => ({
  getProtectedResource: getProtectedResource(deps),
  getAuthorizationServer: getAuthorizationServer(deps),
  getJwks: getJwks(deps),
  registerClient: registerClient(deps),
  createToken: createToken(deps),
  revokeToken: revokeToken(deps),
});
