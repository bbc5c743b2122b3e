import type { StepUpProof } from '#accounts/auth/step-up.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { findWallet } from '#accounts/users/identities.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type ProofDeps, proveWallet } from './prove-wallet.ts';
import { checkConfirms } from './purpose.ts';

/**
 * Verifies that a wallet of this user has signed this request. Consumes the challenge in any case,
 * except that a confirmation for some minutes is consumed only by a failure.
 */
export async function verifyStepUp(
  deps: ProofDeps,
  { challenge_id, signature, ...request }: StepUpProof,
): Promise<void> {
  const { user_id } = request;
  await proveWallet(
    deps,
    { challenge_id, signature },
    {
      checkPurpose: (kept) => checkConfirms(kept, request),
      mayUse: async (walletType, address) => {
        const wallet = await findWallet(deps.database.db, walletType, address);
        if (wallet?.user_id !== user_id) throw notLinked();
      },
    },
  );
}

const notLinked = (): Problem =>
  accountsProblem(
    'auth.wallet_required',
    "The challenge's wallet is not linked to your account. Sign with a linked wallet.",
    { reason: 'not_linked' },
  );
