import type { Routes } from '#core/http/operation.ts';
import type { walletOperations } from './contract.ts';
import { createChallenge } from './create-challenge.ts';
import type { AuthDeps } from '#accounts/auth/deps.ts';
import { linkWallet } from './link.ts';
import { unlinkWallet } from './unlink.ts';
import { verifyWallet } from './verify.ts';

export const walletRoutes = (deps: AuthDeps): Routes<typeof walletOperations> => ({
  createChallenge: createChallenge(deps),
  verifyWallet: verifyWallet(deps),
  linkWallet: linkWallet(deps),
  unlinkWallet: unlinkWallet(deps),
});
