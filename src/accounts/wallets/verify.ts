import { type Handler, json } from '#core/http/operation.ts';
import type { walletsContract } from './contract.ts';
import { signInByWallet, type WalletSignInDeps } from './sign-in.ts';

/** POST /api/wallets/verify */
export const verifyWallet =
  (deps: WalletSignInDeps): Handler<typeof walletsContract.verify> =>
  async ({ body, headers, origin }) =>
    json(await signInByWallet(deps, body, { user_agent: `${headers['user-agent'] ?? ''}`, origin }), {
      cache_control: 'no-store',
    });
