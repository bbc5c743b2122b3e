import type { AuthDeps } from '#accounts/auth/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { proofOfWorkContract } from './contract.ts';
import { newWork } from './proof-of-work.ts';

type Deps = Pick<AuthDeps, 'keys' | 'clock' | 'newAccounts'>;

/** POST /api/auth/proof-of-work. Stores nothing. */
export const createProofOfWork =
  ({ keys, clock, newAccounts }: Deps): Handler<typeof proofOfWorkContract.create> =>
  ({ caller: { user_id } }) =>
    json(newWork(keys, user_id, newAccounts.bits, clock.now()), { cache_control: 'no-store' });
