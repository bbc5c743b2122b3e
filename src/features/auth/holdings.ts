import type { Holding } from '../users/holding.ts';
import { forgetTokens } from './email/email-tokens.ts';
import { listEverySignIn } from './sign-ins/sign-ins.ts';
import { deleteChallengesOf } from './wallets/challenges.ts';

/** What signing in keeps on accounts, beside what falls with them. */
export const authHoldings: readonly Holding[] = [
  {
    name: 'sign_ins',
    read: (db, { user_id }) => listEverySignIn(db, user_id),
    // Whoever opens a mailed link locks the link first and the account after it.
    release: (trx, { user_id, email }) => forgetTokens(trx, user_id, email),
    erase: async (trx, { wallets }) => {
      for (const wallet of wallets) await deleteChallengesOf(trx, wallet);
    },
  },
];
