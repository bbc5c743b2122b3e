import type { Kysely } from 'kysely';
import { hasWallet } from '#accounts/users/identities.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Guard } from '#core/http/gates.ts';
import { Problem } from '#core/problem/problem.ts';
import { signatureMissing, signInAgain, walletRequired } from './refusals.ts';

/** The additional proof that some operations require of an authenticated caller. */

export interface StepUpProof {
  user_id: string;
  /** The request that the signature must be for. */
  operation: string;
  target: string;
  challenge_id: string;
  signature: string;
}
/** Consumes the challenge in any case. Rejects if the signature is not from a wallet of this user. */
export type VerifyStepUp = (proof: StepUpProof) => Promise<void>;

interface StepUpDeps {
  db: Kysely<Schema>;
  clock: Clock;
  verifyStepUp: VerifyStepUp;
}

const FRESH_MS = 600_000;

export const createStepUp =
  ({ db, clock, verifyStepUp }: StepUpDeps): Guard['stepUp'] =>
  async ({ access, id: operation }, caller, { headers, target, origin }) => {
    if (access !== 'sensitive' && access !== 'fresh') return;
    if (await hasWallet(db, caller.user_id)) {
      const proof = { user_id: caller.user_id, operation, target, ...readProof(headers, operation, target) };
      return verifyStepUp(proof).catch(async (error: unknown) => {
        if (error instanceof Problem)
          await recordAudit(
            db,
            {
              actor: caller.user_id,
              origin,
              action: 'auth.step_up',
              target: caller.user_id,
              outcome: 'refused',
              detail: { operation, code: error.code },
            },
            isoTime(clock.now()),
          );
        throw error;
      });
    }
    if (access === 'sensitive') throw walletRequired();
    if (!isFresh(caller, clock.now())) throw signInAgain();
  };

/** An API key does not prove who uses it now. */
const isFresh = ({ signed_in_at_ms }: Caller, nowMs: number): boolean =>
  signed_in_at_ms !== null && nowMs - signed_in_at_ms <= FRESH_MS;

function readProof(
  headers: Record<string, string | string[] | undefined>,
  operation: string,
  target: string,
): Pick<StepUpProof, 'challenge_id' | 'signature'> {
  const { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature } = headers;
  if (typeof challenge_id !== 'string' || typeof signature !== 'string') throw signatureMissing(operation, target);
  return { challenge_id, signature };
}
