import type { Routes } from '../../platform/http/operation.ts';
import { clientDocuments } from './authorization/client-documents.ts';
import { countEvents } from './authorization/counts.ts';
import type { PageDeps } from './authorization/deps.ts';
import { createFindClient } from './authorization/find-client.ts';
import type { authorizationPageOperations } from './contract-authorization.ts';
import type { oauthOperations } from './contract-oauth.ts';
import { createToken } from './create-token.ts';
import { decideAuthorization } from './decide-authorization.ts';
import type { AuthDeps } from './deps.ts';
import { getAuthorizationServer } from './get-authorization-server.ts';
import { getProtectedResource } from './get-protected-resource.ts';
import { leavePage } from './leave-page.ts';
import { registerClient } from './register-client.ts';
import { registerOnPage } from './register-on-page.ts';
import { revokeToken } from './revoke-token.ts';
import { showAuthorization } from './show-authorization.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { signInWithGoogle } from './sign-in-with-google.ts';
import { signInWithWallet } from './sign-in-with-wallet.ts';

type Operations = typeof oauthOperations & typeof authorizationPageOperations;

export function authorizationRoutes(auth: AuthDeps, ways: Pick<PageDeps, 'email' | 'google'>): Routes<Operations> {
  const { clock, production, outbound } = auth;
  const readDocument = clientDocuments({ fetch: outbound.fetch, clock, production });
  const findClient = createFindClient({ db: auth.database.db, clock, readDocument });
  const count = countEvents(auth.metrics.registry);
  const deps: PageDeps = { ...auth, ...ways, findClient, count };
  return {
    getProtectedResource: getProtectedResource(deps),
    getAuthorizationServer: getAuthorizationServer(deps),
    registerClient: registerClient(deps),
    createToken: createToken(deps),
    revokeToken: revokeToken(deps),
    showAuthorization: showAuthorization(deps),
    decideAuthorization: decideAuthorization(deps),
    registerOnPage: registerOnPage(deps),
    signInWithEmail: signInWithEmail(deps),
    signInWithWallet: signInWithWallet(deps),
    signInWithGoogle: signInWithGoogle(deps),
    leavePage: leavePage(deps),
  };
}
