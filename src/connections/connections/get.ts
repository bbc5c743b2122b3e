import { type Handler, json } from '#core/http/operation.ts';
import { shownConnection } from './connection.ts';
import { findConnection } from './connections.ts';
import type { connectionsContract } from './contract.ts';
import type { ConnectionsDeps } from './deps.ts';
import { noSuchConnection } from './failures.ts';

/** GET /api/sessions/connections/{id} */
export const getConnection =
  ({ db }: ConnectionsDeps): Handler<typeof connectionsContract.get> =>
  async ({ params: { id }, caller: { user_id } }) => {
    const connection = await findConnection(db, { user_id, id });
    if (connection === undefined) throw noSuchConnection();
    return json(shownConnection(connection));
  };
