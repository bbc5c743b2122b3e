import { DELETED } from '#accounts/users/deleted.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { noSuchEndpoint } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { deleteEndpoint as removeEndpoint } from './endpoints.ts';

/** DELETE /api/sessions/endpoints/{id} */
export const deleteEndpoint =
  ({ db, clock }: ConnectionsDeps): Handler<typeof endpointsContract.delete> =>
  async ({ params: { id }, caller: { user_id }, origin }) => {
    await db.transaction().execute(async (trx) => {
      if (!(await removeEndpoint(trx, user_id, id))) throw noSuchEndpoint();
      const entry = { actor: user_id, origin, action: 'sessions.delete_endpoint', target: id } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
    });
    return json(DELETED);
  };
