import type { Holding } from '../users/holding.ts';
import { deleteTokensTo } from './email/email-tokens.ts';
import { listEverySignIn } from './sign-ins/sign-ins.ts';
import { deleteChallengesOf } from './wallets/challenges.ts';

/** What signing in keeps on accounts, beside what falls with them. */
export const authHoldings: readonly Holding[] = [
  {
    name: 'sign_ins',
    read: (db, { user_id }) => listEverySignIn(db, user_id),
    erase: async (trx, { wallets, email }) => {
      for (const wallet of wallets) await deleteChallengesOf(trx, wallet);
      if (email !== null) await deleteTokensTo(trx, email);
    },
  },
];
