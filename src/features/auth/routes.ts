import type { Routes } from '../../platform/http/operation.ts';
import type { authContract } from './contract.ts';
import type { AuthDeps } from './deps.ts';
import { emailRoutes } from './routes-email.ts';
import { googleRoutes } from './routes-google.ts';
import { signInRoutes } from './routes-sign-in.ts';
import { walletRoutes } from './routes-wallet.ts';

export const authRoutes = (deps: AuthDeps): Routes<typeof authContract> => ({
  ...walletRoutes(deps),
  ...emailRoutes(deps),
  ...googleRoutes(deps),
  ...signInRoutes(deps),
});
