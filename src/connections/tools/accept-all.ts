import { markPinned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { followRenames } from '#connections/endpoints/endpoints.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { toolsContract } from './contract.ts';
import { acceptPin, removePins } from './pinned-tools.ts';
import { checkPinnable } from './tool-calls.ts';
import { changesOf, setHashOf } from './tool-changes.ts';

/** POST /api/sessions/connections/{id}/tools/accept-all */
export const acceptAllTools =
  ({ db, clock, tool_lists }: ConnectionsDeps): Handler<typeof toolsContract.acceptAll> =>
  async ({ params: { id }, body: { set_hash }, caller: { user_id }, origin }) => {
    const connection = await usableConnection(db, { user_id, id });
    const { tools } = await tool_lists.read(connection, false);
    const current = setHashOf(tools.values());
    if (current !== set_hash) throw otherNow(current);
    const { pins, held, gone, renames } = await changesOf(db, id, tools);
    for (const known of held) if (!pins.has(known.definition.name)) checkPinnable(known, pins.size);
    const accepted_at = isoTime(clock.now());
    const names = held.map(({ definition }) => definition.name);
    await db.transaction().execute(async (trx) => {
      for (const known of held) await acceptPin(trx, id, known, accepted_at);
      await removePins(trx, id, gone);
      await followRenames(trx, id, renames);
      await markPinned(trx, id, accepted_at);
      const detail = { set_hash, accepted: names.length, removed: gone.length, renamed: renames.size };
      const entry = { actor: user_id, origin, action: 'sessions.accept_tools', target: id, detail } as const;
      await recordAudit(trx, entry, accepted_at);
    });
    const renamed = [...renames].map(([from, to]) => ({ from, to }));
    return json({ set_hash, accepted: names, removed: gone, renamed, accepted_at });
  };

const otherNow = (set_hash: string): Problem =>
  connectionsProblem(
    'connections.tool_conflict',
    'The tools do not match this hash. List the tools, review them again, and accept their current hash.',
    { reason: 'hash', extensions: { set_hash } },
  );
