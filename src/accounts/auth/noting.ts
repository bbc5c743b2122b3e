import type { Kysely } from 'kysely';
import { endSignIn } from '#accounts/sign-ins/end-sign-ins.ts';
import { type By, NOBODY, recordAudit, SERVICE_ITSELF } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Origin } from '#core/http/operation.ts';
import { isProblem } from '#core/problem/problem.ts';

/** Audit entries of authentication, except for started sessions (sign-ins/start.ts). */

type Trx = Kysely<Schema>;

/** `id` is that of the session, or of the user if all sessions ended. */
export const noteEnd = (trx: Trx, by: By, id: string, now: string): Promise<void> =>
  recordAudit(trx, { ...by, action: 'auth.end_sign_ins', target: id }, now);

/** `kind` is email, google or a wallet type. The entry does not name the identity. */
export const noteLink = (
  trx: Trx,
  action: 'auth.link' | 'auth.unlink',
  by: By,
  kind: string,
  now: string,
): Promise<void> => recordAudit(trx, { ...by, action, target: by.actor, detail: { kind } }, now);

/** Revokes a session whose token was used twice: one of the two holders is a thief. */
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

/** Records a failed sign-in. `target` is the account, if there is one. */
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

/** Failures of clients that hold a challenge. Other failures concern no account. */
const REFUSED_PROOFS = ['signature', 'wallet'];

/** Records a failed proof and rethrows the error. */
export async function notingRefusal<T>(
  { database: { db }, clock }: Noting,
  method: string,
  origin: Origin | undefined,
  prove: () => Promise<T>,
): Promise<T> {
  try {
    return await prove();
  } catch (error) {
    if (isProblem(error, 'auth.signature_invalid', ...REFUSED_PROOFS)) await noteRefused({ db, clock }, method, origin);
    throw error;
  }
}
