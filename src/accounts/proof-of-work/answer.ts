import type { AuthDeps } from '#accounts/auth/deps.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { markProven } from '#accounts/quotas/unproven.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { proofOfWorkContract } from './contract.ts';
import { checkWork, type WorkVerdict } from './proof-of-work.ts';

type Deps = Pick<AuthDeps, 'database' | 'keys' | 'clock'>;

/** POST /api/auth/proof-of-work/answer */
export const answerProofOfWork =
  ({ database: { db }, keys, clock }: Deps): Handler<typeof proofOfWorkContract.answer> =>
  async ({ body, caller: { user_id } }) => {
    const verdict = checkWork(keys, user_id, body, clock.now());
    if (verdict !== 'good')
      throw accountsProblem('auth.proof_of_work_invalid', `${WHY[verdict]} Request a new challenge.`);
    await markProven(db, user_id);
    return json({ status: 'proven' });
  };

const WHY: Record<Exclude<WorkVerdict, 'good'>, string> = {
  not_ours: 'The challenge was issued for another account.',
  expired: 'The challenge has expired.',
  too_little: 'The SHA-256 of `<challenge>:<nonce>` does not begin with enough zero bits.',
};
