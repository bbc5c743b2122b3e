import { accountsProblem } from '#accounts/errors.ts';
import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { entriesWithHeaders } from '#catalog/install/client-installs.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import { bytesOf, chosenConnections, noSuchEndpoint, shownEndpoint } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { countEndpoints, findEndpoint, hasEndpointNamed, insertEndpoint, replaceChoices } from './endpoints.ts';

const MOST_ENDPOINTS = 50;
const ENTRY_NAME = 'capstan';

/** POST /api/sessions/endpoints */
export const createEndpoint =
  (deps: ConnectionsDeps): Handler<typeof endpointsContract.create> =>
  async ({ body, caller: { user_id, api_key_id }, origin }) => {
    const { db, clock, storage } = deps;
    const { name } = body;
    const expires_at = readExpiry(body.expires_at ?? null, clock);
    const choices = await chosenConnections(deps, user_id, body.connections, []);
    const now = isoTime(clock.now());
    const { id, token } = await db.transaction().execute(async (trx) => {
      if (!(await lockUser(trx, user_id))) throw noSuchUser();
      if ((await countEndpoints(trx, user_id)) >= MOST_ENDPOINTS) throw tooMany();
      if (await hasEndpointNamed(trx, user_id, name)) throw nameTaken(name);
      await storage.require(trx, user_id, 'connections', bytesOf(choices));
      const made = await insertEndpoint(trx, { user_id, api_key_id, name, expires_at }, now);
      await replaceChoices(trx, { id: made.id, user_id }, choices);
      const detail = { connections: choices.length, expires_at };
      await recordAudit(
        trx,
        { actor: user_id, origin, action: 'sessions.create_endpoint', target: made.id, detail },
        now,
      );
      return made;
    });
    const endpoint = await findEndpoint(db, { user_id, id });
    if (endpoint === undefined) throw noSuchEndpoint();
    const shown = await shownEndpoint(deps, endpoint);
    const clients = entriesWithHeaders(ENTRY_NAME, shown.url, { Authorization: `Bearer ${token}` });
    return json({ ...shown, token, installs: { name: ENTRY_NAME, clients } }, { status: 201 });
  };

function readExpiry(text: string | null, clock: Clock): string | null {
  if (text === null) return null;
  const ms = Date.parse(text);
  if (ms > clock.now()) return isoTime(ms);
  throw coreProblem('http.invalid', `expires_at must be in the future; the current time is ${isoTime(clock.now())}.`, {
    reason: 'input',
    errors: [{ pointer: '/expires_at', detail: 'must be in the future' }],
  });
}

const tooMany = (): Problem =>
  accountsProblem('users.limit_exceeded', `Endpoint limit reached (${MOST_ENDPOINTS}). Delete one first.`, {
    reason: 'endpoints',
  });

const nameTaken = (name: string): Problem =>
  connectionsProblem('connections.conflict', `You have an endpoint named ${quoted(name, 100)}. Choose another name.`);
