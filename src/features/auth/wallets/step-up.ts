import { Problem } from '../../../platform/problem.ts';
import { findWallet } from '../../users/identities.ts';
import { type ProofDeps, proveWallet } from './prove-wallet.ts';

export interface StepUp {
  user_id: string;
  challenge_id: string;
  signature: string;
}

/** That a wallet of this user signed the challenge just now. Uses the challenge up, whatever comes of it. */
export async function verifyStepUp(deps: ProofDeps, { user_id, ...proof }: StepUp): Promise<void> {
  await proveWallet(deps, proof, async (wallet_type, address) => {
    const wallet = await findWallet(deps.database.db, wallet_type, address);
    if (wallet?.user_id !== user_id) throw notLinked();
  });
}

const notLinked = (): Problem =>
  new Problem(
    'forbidden',
    'auth.wallet_not_linked',
    'The wallet of the challenge is not linked to your account. Sign with one that is.',
  );
