import { notingRefusal } from '#accounts/auth/noting.ts';
import type { NewSignIn, SignedIn, StartSignIn } from '#accounts/auth/signed-in.ts';
import type { NewAccounts } from '#accounts/proof-of-work/new-accounts.ts';
import { findWallet } from '#accounts/users/identities.ts';
import { type ProofDeps, proveWallet, refuseDeviceKey, type WalletProof } from './prove-wallet.ts';
import { checkSignsIn } from './purpose.ts';
import { userOfWallet } from './user-of-wallet.ts';

export interface WalletSignInDeps extends ProofDeps {
  startSignIn: StartSignIn;
  newAccounts: NewAccounts;
}

/** Starts a session with a signed challenge. */
export async function signInByWallet(
  deps: WalletSignInDeps,
  proof: WalletProof,
  { user_agent, origin }: Pick<NewSignIn, 'user_agent' | 'origin'>,
): Promise<SignedIn> {
  const { wallet_type, address, caip10 } = await notingRefusal(deps, 'wallet', origin, () =>
    proveWallet(deps, proof, { checkPurpose: checkSignsIn, mayUse: refuseDeviceKey }),
  );
  const user = await userOfWallet(deps, wallet_type, address, origin?.address ?? '');
  const stillLeads: NewSignIn['stillLeads'] = async (trx) =>
    (await findWallet(trx, wallet_type, address))?.user_id === user.id;
  return deps.startSignIn({ user, method: 'wallet', wallet: caip10, user_agent, origin, stillLeads });
}
