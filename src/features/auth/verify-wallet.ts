import { type Handler, json } from '../../platform/http/operation.ts';
import type { walletOperations } from './contract-wallet.ts';
import { signInByWallet, type WalletSignInDeps } from './wallets/sign-in.ts';

/** POST /api/wallets/verify */
export const verifyWallet =
  (deps: WalletSignInDeps): Handler<typeof walletOperations.verifyWallet> =>
  async ({ body, headers }) =>
    json(await signInByWallet(deps, body, `${headers['user-agent'] ?? ''}`), { cache_control: 'no-store' });
