import type { AuthDeps } from '#accounts/auth/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { walletsContract } from './contract.ts';
import { createChallenge } from './create-challenge.ts';
import { linkWallet } from './link.ts';
import { unlinkWallet } from './unlink.ts';
import { verifyWallet } from './verify.ts';

export const walletsRoutes = (deps: AuthDeps): Routes<typeof walletsContract> => ({
  createChallenge: createChallenge(deps),
  verify: verifyWallet(deps),
  link: linkWallet(deps),
  unlink: unlinkWallet(deps),
});
