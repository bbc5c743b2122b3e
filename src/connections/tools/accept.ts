import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { toolsContract } from './contract.ts';
import { acceptPin, countPins, findPin } from './pinned-tools.ts';
import { checkPinnable, toolNotFound } from './tool-calls.ts';

/** POST /api/sessions/connections/{id}/tools/accept */
export const acceptTool =
  ({ db, clock, tool_lists }: ConnectionsDeps): Handler<typeof toolsContract.accept> =>
  async ({ params: { id }, body: { tool, hash }, caller: { user_id }, origin }) => {
    const connection = await usableConnection(db, { user_id, id });
    const { tools, left_out } = await tool_lists.read(connection, false);
    const known = tools.get(tool);
    if (known === undefined) throw toolNotFound(tool, tools.keys(), left_out);
    if (known.hash !== hash) throw otherNow(known.hash);
    if ((await findPin(db, id, tool)) === undefined) checkPinnable(known, await countPins(db, id));
    const accepted_at = isoTime(clock.now());
    await db.transaction().execute(async (trx) => {
      await acceptPin(trx, id, known, accepted_at);
      const entry = { actor: user_id, origin, action: 'sessions.accept_tool', target: id } as const;
      await recordAudit(trx, { ...entry, detail: { hash } }, accepted_at);
    });
    return json({ tool, hash, accepted_at });
  };

const otherNow = (hash: string): Problem =>
  connectionsProblem(
    'connections.tool_conflict',
    'The tool does not match this hash. List the tools, review the tool again, and accept its current hash.',
    { reason: 'hash', extensions: { hash } },
  );
