import type { Kysely } from 'kysely';
import { endSignIn } from '#accounts/sign-ins/end-sign-ins.ts';
import { type By, NOBODY, recordAudit, SERVICE_ITSELF } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Origin } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';

/** What signing in leaves in the audit log, beside the session that begins (sign-ins/start.ts). */

type Trx = Kysely<Schema>;

/** `id` is a session's, or its user's where it is all of them. */
export const noteEnd = (trx: Trx, by: By, id: string, now: string): Promise<void> =>
  recordAudit(trx, { ...by, action: 'auth.end_sign_ins', target: id }, now);

/** `kind` is email, google, or a type of wallet: which one it is nobody needs to know here. */
export const noteLink = (
  trx: Trx,
  action: 'auth.link' | 'auth.unlink',
  by: By,
  kind: string,
  now: string,
): Promise<void> => recordAudit(trx, { ...by, action, target: by.actor, detail: { kind } }, now);

/** Ends a session a token of which was shown twice: one of two who know it is a thief. */
export const endStolen = (db: Trx, user_id: string, id: string, now: string, origin?: Origin): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (await endSignIn(trx, user_id, id, now))
      await recordAudit(
        trx,
        { actor: SERVICE_ITSELF, origin, action: 'auth.end_stolen', target: user_id, detail: { id } },
        now,
      );
  });

interface Noting {
  database: Database;
  clock: Clock;
}

/** A sign-in that was refused. `target` is whose account it was for, where there is one. */
export const noteRefused = (
  { db, clock }: { db: Trx; clock: Clock },
  method: string,
  origin: Origin | undefined,
  target: string = NOBODY,
): Promise<void> =>
  recordAudit(
    db,
    { actor: NOBODY, origin, action: 'auth.sign_in', target, detail: { method }, outcome: 'refused' },
    isoTime(clock.now()),
  );

/** What somebody who has the challenge is refused for: all else tells of no account. */
const REFUSED_PROOFS = ['auth.wallet_signature_invalid', 'auth.challenge_wrong_wallet'];

/** Notes the refusal of a proof, and hands it on. */
export async function notingRefusal<T>(
  { database: { db }, clock }: Noting,
  method: string,
  origin: Origin | undefined,
  prove: () => Promise<T>,
): Promise<T> {
  try {
    return await prove();
  } catch (error) {
    if (error instanceof Problem && REFUSED_PROOFS.includes(error.code))
      await noteRefused({ db, clock }, method, origin);
    throw error;
  }
}
