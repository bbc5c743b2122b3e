import { type Handler, json } from '../../platform/http/operation.ts';
import { findWallet } from '../users/identities.ts';
import type { walletOperations } from './contract-wallet.ts';
import type { NewSignIn, StartSignIn } from './signed-in.ts';
import { type ProofDeps, proveWallet } from './wallets/prove-wallet.ts';
import { userOfWallet } from './wallets/user-of-wallet.ts';

export interface VerifyDeps extends ProofDeps {
  startSignIn: StartSignIn;
}

/** POST /api/wallets/verify */
export const verifyWallet =
  (deps: VerifyDeps): Handler<typeof walletOperations.verifyWallet> =>
  async ({ body, headers }) => {
    const { wallet_type, address, caip10 } = await proveWallet(deps, body);
    const user = await userOfWallet(deps, wallet_type, address);
    const user_agent = `${headers['user-agent'] ?? ''}`;
    const stillLeads: NewSignIn['stillLeads'] = async (trx) =>
      (await findWallet(trx, wallet_type, address))?.user_id === user.id;
    const signed_in = await deps.startSignIn({ user, method: 'wallet', wallet: caip10, user_agent, stillLeads });
    return json(signed_in, { cache_control: 'no-store' });
  };
