import { noteLink } from '#accounts/auth/noting.ts';
import { tokenInvalid } from '#accounts/auth/refusals.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { addWallet, MAX_WALLETS } from '#accounts/users/identities.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { walletsContract } from './contract.ts';
import { type ProofDeps, proveWallet, refuseDeviceKey } from './prove-wallet.ts';
import { checkConfirms, LINK } from './purpose.ts';

/** POST /api/auth/wallets */
export const linkWallet =
  (deps: ProofDeps): Handler<typeof walletsContract.link> =>
  async ({ body, caller, origin, raw_path }) => {
    const { user_id } = caller;
    const { wallet_type, address } = await proveWallet(deps, body, {
      // A signature that only signs in must not let someone else link the wallet.
      checkPurpose: (kept) => checkConfirms(kept, { user_id, operation: LINK, target: raw_path, fields: null }),
      mayUse: refuseDeviceKey,
    });
    const linked_at = isoTime(deps.clock.now());
    const outcome = await deps.database.db.transaction().execute(async (trx) => {
      const added = await addWallet(trx, { wallet_type, address, user_id, linked_at });
      if (added === 'linked') await noteLink(trx, 'auth.link', { actor: user_id, origin }, wallet_type, linked_at);
      return added;
    });
    if (outcome === 'missing') throw tokenInvalid();
    if (outcome === 'taken')
      throw accountsProblem('auth.identity_conflict', 'This wallet is linked to another account.', {
        reason: 'wallet_taken',
      });
    if (outcome === 'full')
      throw accountsProblem('users.limit_exceeded', `Wallet limit reached (${MAX_WALLETS}). Unlink one first.`, {
        reason: 'wallets',
      });
    return json({ status: 'linked', wallet_type, wallet_address: address });
  };
