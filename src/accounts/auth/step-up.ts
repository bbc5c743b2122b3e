import type { Kysely } from 'kysely';
import { hasActiveDeviceKey } from '#accounts/device-keys/device-keys.ts';
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
  /** What the signature covers of the body; null if nothing. */
  fields: string | null;
  /** The window whose confirmation covers the operation. */
  window: string | undefined;
  /** The session of the request; null for an API key. */
  sign_in_id: string | null;
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
  async ({ access, id: operation, confirm_window }, caller, { headers, target, fields, origin }) => {
    if (access !== 'sensitive' && access !== 'fresh') return;
    if (await hasSigner(db, caller.user_id)) {
      const { user_id, sign_in_id } = caller;
      const request = { user_id, operation, target, fields, window: confirm_window, sign_in_id };
      const proof = { ...request, ...readProof(headers, request) };
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

const hasSigner = async (db: Kysely<Schema>, userId: string): Promise<boolean> =>
  (await hasWallet(db, userId)) || hasActiveDeviceKey(db, userId);

/** A sign-in of the last ten minutes. An API key does not prove who uses it now. */
export const isFresh = ({ signed_in_at_ms }: Caller, nowMs: number): boolean =>
  signed_in_at_ms !== null && nowMs - signed_in_at_ms <= FRESH_MS;

function readProof(
  headers: Record<string, string | string[] | undefined>,
  request: Pick<StepUpProof, 'operation' | 'target' | 'fields'>,
): Pick<StepUpProof, 'challenge_id' | 'signature'> {
  const { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature } = headers;
  if (typeof challenge_id !== 'string' || typeof signature !== 'string') throw signatureMissing(request);
  return { challenge_id, signature };
}
