import type { Routes } from '#core/http/operation.ts';
import type { authContract } from './contract.ts';
import type { AuthDeps } from './deps.ts';
import { authorizationRoutes } from '#accounts/consent/routes.ts';
import { emailDeps, emailRoutes } from '#accounts/email/routes.ts';
import { googleDeps, googleRoutes } from '#accounts/google/routes.ts';
import { proofRoutes } from '#accounts/proof-of-work/routes.ts';
import { signInRoutes } from '#accounts/sign-ins/routes.ts';
import { walletRoutes } from '#accounts/wallets/routes.ts';

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
