import { type Handler, json } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import type { UsersDeps } from './deps.ts';
import { findWallet } from './identities.ts';
import { publicProfile } from './profile.ts';
import { findUser, noSuchUser } from './users.ts';

/** POST /api/users/lookup */
export const lookupUser =
  (deps: UsersDeps): Handler<typeof usersContract.lookUp> =>
  async ({ body: { wallet_address, wallet_type } }) => {
    const { db } = deps.database;
    const address = await deps.canonicalAddress(wallet_type, wallet_address);
    const wallet = await findWallet(db, wallet_type, address);
    const user = wallet === undefined ? undefined : await findUser(db, wallet.user_id);
    if (wallet === undefined || user === undefined) throw noSuchUser();
    const shown = { address: wallet.address, type: wallet.wallet_type };
    return json(publicProfile(user, shown, await deps.findPublisher(user.id)));
  };
