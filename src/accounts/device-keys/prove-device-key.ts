import { signInAgain } from '#accounts/auth/refusals.ts';
import { isFresh } from '#accounts/auth/step-up.ts';
import { type ProofDeps, proveWallet, type WalletProof } from '#accounts/wallets/prove-wallet.ts';
import { checkConfirms } from '#accounts/wallets/purpose.ts';
import { DEVICE } from '#accounts/wallets/wallets.ts';
import type { Caller } from '#core/http/caller.ts';
import { deviceSignatureInvalid } from './refusals.ts';

interface DeviceRequest {
  operation: string;
  target: string;
  fields: string | null;
}

/**
 * Requires a sign-in of the last ten minutes and a signature of the device key for this request. Returns the key's address. No key or
 * wallet of the account is asked: the device that requests this may be the only one that its owner has left.
 */
export async function proveDeviceKey(
  deps: ProofDeps,
  caller: Caller,
  proof: WalletProof,
  request: DeviceRequest,
): Promise<string> {
  if (!isFresh(caller, deps.clock.now())) throw signInAgain();
  const { user_id } = caller;
  const { address } = await proveWallet(deps, proof, {
    checkPurpose: (kept) => checkConfirms(kept, { user_id, ...request }),
    mayUse: async (walletType) => {
      if (walletType !== DEVICE) throw deviceSignatureInvalid();
    },
  });
  return address;
}
