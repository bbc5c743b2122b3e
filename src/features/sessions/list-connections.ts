import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import { shownConnection } from './connection.ts';
import { listConnections as readConnections } from './connections.ts';
import type { sessionsContract } from './contract.ts';
import type { SessionsDeps } from './deps.ts';

/** GET /api/sessions/connections */
export const listConnections =
  ({ db }: SessionsDeps): Handler<typeof sessionsContract.listConnections> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readConnections(db, caller.user_id, { limit, offset });
    const page = { total_count, limit, offset };
    const headers = pageLinks(raw_path, page, `limit=${limit}`);
    return json({ items: items.map(shownConnection), ...page }, { headers });
  };
