import { DELETED } from '#accounts/users/deleted.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { findConnection, deleteConnection as removeConnection } from './connections.ts';
import type { connectionsContract } from './contract.ts';
import type { ConnectionsDeps } from './deps.ts';
import { noSuchConnection } from './failures.ts';

/** DELETE /api/sessions/connections/{id} */
export const deleteConnection =
  ({ db, clock, oauth, upstreams }: ConnectionsDeps): Handler<typeof connectionsContract.delete> =>
  async ({ params: { id }, caller: { user_id }, origin }) => {
    await db.transaction().execute(async (trx) => {
      if ((await findConnection(trx, { user_id, id })) === undefined) throw noSuchConnection();
      await oauth.giveBack(trx, { user_id, ids: [id] });
      if (!(await removeConnection(trx, { user_id, id }))) throw noSuchConnection();
      await recordAudit(trx, { actor: user_id, origin, action: 'sessions.delete', target: id }, isoTime(clock.now()));
    });
    upstreams.forget(id);
    return json(DELETED);
  };
