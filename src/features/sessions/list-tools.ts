import { type Handler, json } from '../../platform/http/operation.ts';
import { findConnection } from './connections.ts';
import type { sessionsContract } from './contract.ts';
import type { SessionsDeps } from './deps.ts';
import { noSuchConnection } from './failures.ts';
import { listPins } from './pinned-tools.ts';
import type { KnownTool } from './tool.ts';

/** POST /api/sessions/connections/{id}/tools/list */
export const listTools =
  ({ db, tool_lists }: SessionsDeps): Handler<typeof sessionsContract.listTools> =>
  async ({ params: { id }, query, caller: { user_id } }) => {
    const connection = await findConnection(db, { user_id, id });
    if (connection === undefined) throw noSuchConnection();
    const [{ tools, read_at }, pins] = await Promise.all([
      tool_lists.read(connection, query.refresh === true),
      listPins(db, id),
    ]);
    const items = [...tools.values()].map((it) => shownTool(it, pins.get(it.definition.name)));
    const gone = [...pins.keys()].filter((name) => !tools.has(name));
    return json({ items, total_count: items.length, gone, read_at });
  };

const shownTool = ({ definition, hash }: KnownTool, pinned: string | undefined) => ({
  ...definition,
  hash,
  state: pinned === undefined ? 'new' : pinned === hash ? 'accepted' : 'changed',
});
