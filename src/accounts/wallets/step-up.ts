import type { StepUpProof } from '#accounts/auth/step-up.ts';
import { useDeviceKey } from '#accounts/device-keys/device-keys.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { findWallet } from '#accounts/users/identities.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type ProofDeps, proveWallet } from './prove-wallet.ts';
import { checkConfirms } from './purpose.ts';
import { DEVICE } from './wallets.ts';

/**
 * Verifies that a wallet or a device key of this user has signed this request. Consumes the challenge in any case,
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
        const { db } = deps.database;
        const isOwn =
          walletType === DEVICE
            ? await useDeviceKey(db, user_id, address, deps.clock.now())
            : (await findWallet(db, walletType, address))?.user_id === user_id;
        if (!isOwn) throw notLinked();
      },
    },
  );
}

const notLinked = (): Problem =>
  accountsProblem(
    'auth.wallet_required',
    "The challenge's wallet or device key is not one of your account. Sign with one that is.",
    { reason: 'not_linked' },
  );
