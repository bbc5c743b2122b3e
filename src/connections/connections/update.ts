import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shownConnection } from './connection.ts';
import { findConnection, namesOf, updateConnection as saveConnection } from './connections.ts';
import type { connectionsContract } from './contract.ts';
import type { ConnectionsDeps } from './deps.ts';
import { nameTaken, noSuchConnection } from './failures.ts';

/** PATCH /api/sessions/connections/{id} */
export const updateConnection =
  ({ db, clock }: Pick<ConnectionsDeps, 'db' | 'clock'>): Handler<typeof connectionsContract.update> =>
  async ({ params: { id }, body: { name }, caller: { user_id }, origin }) => {
    const renamed = await db.transaction().execute(async (trx) => {
      // Held so that two connections cannot get the same name at once.
      if (!(await lockUser(trx, user_id))) throw noSuchUser();
      const before = await findConnection(trx, { user_id, id });
      if (before === undefined) throw noSuchConnection();
      if (before.name === name) return before;
      if ((await namesOf(trx, user_id)).has(name)) throw nameTaken(name);
      const entry = { actor: user_id, origin, action: 'sessions.rename', target: id } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
      return saveConnection(trx, id, { name });
    });
    if (renamed === undefined) throw noSuchConnection();
    return json(shownConnection(renamed));
  };
