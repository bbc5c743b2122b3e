import type { Routes } from '#core/http/operation.ts';
import { clientDocuments } from '#accounts/oauth/client-documents.ts';
import { countEvents } from '#accounts/oauth/counts.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import { createFindClient } from '#accounts/oauth/find-client.ts';
import type { authorizationPageOperations } from './contract.ts';
import type { oauthOperations } from '#accounts/oauth/contract.ts';
import { createToken } from '#accounts/oauth/create-token.ts';
import { decideAuthorization } from './decide.ts';
import type { AuthDeps } from '#accounts/auth/deps.ts';
import { getAuthorizationServer } from '#accounts/oauth/get-authorization-server.ts';
import { getProtectedResource } from '#accounts/oauth/get-protected-resource.ts';
import { leavePage } from './sign-out.ts';
import { registerClient } from '#accounts/oauth/register-client.ts';
import { registerOnPage } from './register.ts';
import { revokeToken } from '#accounts/oauth/revoke-token.ts';
import { showAuthorization } from './show.ts';
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
