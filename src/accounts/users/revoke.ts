import { deleteApiKeys } from '#accounts/api-keys/api-keys.ts';
import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { operatingContract } from './contract-operating.ts';
import type { UsersDeps } from './deps.ts';
import { findUser, noSuchUser } from './users.ts';

/** POST /api/operator/users/{id}/revocation */
export const revokeAccess =
  ({ database: { db }, clock }: Pick<UsersDeps, 'database' | 'clock'>): Handler<typeof operatingContract.revoke> =>
  async ({ params: { id }, body: { reason }, caller, origin }) => {
    const now = isoTime(clock.now());
    const ended = await db.transaction().execute(async (trx) => {
      // Sessions first lock what precedes the account, such as unopened links, and then the account.
      const sessions = await endSignIns(trx, id, null, now);
      if ((await findUser(trx, id)) === undefined) throw noSuchUser();
      const api_keys = await deleteApiKeys(trx, id);
      const by = { actor: caller.user_id, origin };
      const detail = { sign_ins: sessions, api_keys };
      await recordAudit(trx, { ...by, action: 'users.revoke', target: id, detail, reason }, now);
      return { sessions, api_keys };
    });
    return json(ended);
  };
