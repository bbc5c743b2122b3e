import type { Routes } from '../../platform/http/operation.ts';
import type { authContract } from './contract.ts';
import type { AuthDeps } from './deps.ts';
import { authorizationRoutes } from './routes-authorization.ts';
import { emailDeps, emailRoutes } from './routes-email.ts';
import { googleDeps, googleRoutes } from './routes-google.ts';
import { proofRoutes } from './routes-proof.ts';
import { signInRoutes } from './routes-sign-in.ts';
import { walletRoutes } from './routes-wallet.ts';

export function authRoutes(deps: AuthDeps): Routes<typeof authContract> {
  // One of each, also for the pages: passwords wait in one line, the provider is asked once.
  const [email, google] = [emailDeps(deps), googleDeps(deps)];
  return {
    ...walletRoutes(deps),
    ...emailRoutes(email),
    ...googleRoutes(google),
    ...signInRoutes(deps),
    ...proofRoutes(deps),
    ...authorizationRoutes(deps, { email, google }),
  };
}
