import type { Routes } from '../../platform/http/operation.ts';
import type { walletOperations } from './contract-wallet.ts';
import { createChallenge } from './create-challenge.ts';
import type { AuthDeps } from './deps.ts';
import { linkWallet } from './link-wallet.ts';
import { unlinkWallet } from './unlink-wallet.ts';
import { verifyWallet } from './verify-wallet.ts';

export const walletRoutes = (deps: AuthDeps): Routes<typeof walletOperations> => ({
  createChallenge: createChallenge(deps),
  verifyWallet: verifyWallet(deps),
  linkWallet: linkWallet(deps),
  unlinkWallet: unlinkWallet(deps),
});
