import { accountsProblem } from '#accounts/errors.ts';
import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { findConnection } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { noSuchConnection } from '#connections/connections/failures.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { bytesOf, noSuchEndpoint, pinStored, shownEndpoint } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { findEndpoint, MOST_CHOICES, replaceChoices } from './endpoints.ts';
import { prefixFor } from './tool-names.ts';

/** PUT /api/sessions/endpoints/{id}/connections/{connection_id} */
export const offerConnection =
  (deps: ConnectionsDeps): Handler<typeof endpointsContract.offer> =>
  async ({ params: { id, connection_id }, body, caller: { user_id }, origin }) => {
    const { db, clock, storage } = deps;
    const { tools = null } = body;
    const connection = await findConnection(db, { user_id, id: connection_id });
    if (connection === undefined) throw noSuchConnection();
    await pinStored(deps, connection);
    const endpoint = await db.transaction().execute(async (trx) => {
      // Held while the choices are read and written, so that of two connections that are offered at once both stay.
      if (!(await lockUser(trx, user_id))) throw noSuchUser();
      const before = await findEndpoint(trx, { user_id, id });
      if (before === undefined) throw noSuchEndpoint();
      const others = before.choices.filter((choice) => choice.connection_id !== connection_id);
      if (others.length >= MOST_CHOICES) throw tooMany();
      const known = before.choices.find((choice) => choice.connection_id === connection_id);
      const prefix = known?.prefix ?? prefixFor(connection.name, new Set(others.map((choice) => choice.prefix)));
      const { ask_except = known?.ask_except ?? null } = body;
      const choices = [...others, { connection_id, prefix, tools, ask_except }];
      const growth = bytesOf(choices) - bytesOf(before.choices);
      if (growth > 0) await storage.require(trx, user_id, 'connections', growth);
      await replaceChoices(trx, { id, user_id }, choices);
      const detail = { connections: choices.length };
      const entry = { actor: user_id, origin, action: 'sessions.change_endpoint', target: id, detail } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
      return { ...before, choices };
    });
    return json(await shownEndpoint(deps, endpoint));
  };

const tooMany = (): Problem =>
  accountsProblem('users.limit_exceeded', `Limit of connections reached (${MOST_CHOICES}). Remove one first.`, {
    reason: 'endpoints',
  });
