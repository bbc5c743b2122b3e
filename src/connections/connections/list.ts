import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import { shownConnection } from './connection.ts';
import { listConnections as readConnections } from './connections.ts';
import type { connectionsContract } from './contract.ts';
import type { ConnectionsDeps } from './deps.ts';

/** GET /api/sessions/connections */
export const listConnections =
  ({ db }: ConnectionsDeps): Handler<typeof connectionsContract.list> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readConnections(db, caller.user_id, { limit, offset });
    return jsonPage({ items: items.map(shownConnection), total_count }, { limit, offset }, raw_path);
  };
