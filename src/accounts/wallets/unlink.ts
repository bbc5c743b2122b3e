import { noteLink } from '#accounts/auth/noting.ts';
import { lastIdentity } from '#accounts/auth/refusals.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { forgetLinks } from '#accounts/sign-ins/end-sign-ins.ts';
import { revokeSignInsOfWallet } from '#accounts/sign-ins/sign-ins.ts';
import { DELETED } from '#accounts/users/deleted.ts';
import { unlinkIdentity } from '#accounts/users/identities.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { walletsContract } from './contract.ts';
import type { ProofDeps } from './prove-wallet.ts';

/** DELETE /api/auth/wallets/{wallet_type}/{wallet_address} */
export const unlinkWallet =
  ({ database, clock, wallets }: ProofDeps): Handler<typeof walletsContract.unlink> =>
  async ({ params: { wallet_type, wallet_address }, caller: { user_id }, origin }) => {
    const verifier = await wallets.verifier(wallet_type);
    const address = verifier.canonicalAddress(wallet_address);
    await database.db.transaction().execute(async (trx) => {
      // Links that it requested are deleted first, in the lock order of opening an emailed link.
      await forgetLinks(trx, user_id);
      const outcome = await unlinkIdentity(trx, user_id, { kind: 'wallet', wallet_type, address });
      if (outcome === 'missing')
        throw accountsProblem('auth.not_found', 'Wallet not found on your account.', { reason: 'wallet' });
      if (outcome === 'last') throw lastIdentity();
      // Owners unlink a wallet when they lose or sell it: its new owner must not stay signed in.
      const now = isoTime(clock.now());
      await revokeSignInsOfWallet(trx, user_id, verifier.caip10(address), now);
      await noteLink(trx, 'auth.unlink', { actor: user_id, origin }, wallet_type, now);
    });
    return json(DELETED);
  };
