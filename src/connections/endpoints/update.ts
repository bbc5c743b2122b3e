import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { bytesOf, chosenConnections, noSuchEndpoint, shownEndpoint } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { findEndpoint, replaceChoices } from './endpoints.ts';

/** PUT /api/sessions/endpoints/{id} */
export const updateEndpoint =
  (deps: ConnectionsDeps): Handler<typeof endpointsContract.update> =>
  async ({ params: { id }, body, caller: { user_id }, origin }) => {
    const { db, clock, storage } = deps;
    const before = await findEndpoint(db, { user_id, id });
    if (before === undefined) throw noSuchEndpoint();
    const choices = await chosenConnections(deps, user_id, body.connections, before.choices);
    await db.transaction().execute(async (trx) => {
      // Held so that two choices that are made at once do not insert the same rows.
      if (!(await lockUser(trx, user_id))) throw noSuchUser();
      if ((await findEndpoint(trx, { user_id, id })) === undefined) throw noSuchEndpoint();
      const growth = bytesOf(choices) - bytesOf(before.choices);
      if (growth > 0) await storage.require(trx, user_id, 'connections', growth);
      await replaceChoices(trx, { id, user_id }, choices);
      const detail = { connections: choices.length };
      const entry = { actor: user_id, origin, action: 'sessions.change_endpoint', target: id, detail } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
    });
    return json(await shownEndpoint(deps, { ...before, choices }));
  };
