import { type Handler, json } from '../../platform/http/operation.ts';
import { DELETED } from '../users/deleted.ts';
import { findConnection, deleteConnection as removeConnection } from './connections.ts';
import type { sessionsContract } from './contract.ts';
import type { SessionsDeps } from './deps.ts';
import { noSuchConnection } from './failures.ts';

/** DELETE /api/sessions/connections/{id} */
export const deleteConnection =
  ({ db, oauth, upstreams }: SessionsDeps): Handler<typeof sessionsContract.deleteConnection> =>
  async ({ params: { id }, caller: { user_id } }) => {
    const connection = await findConnection(db, { user_id, id });
    if (connection === undefined) throw noSuchConnection();
    // While its tokens are still there to be given back.
    await oauth.revoke(connection);
    upstreams.forget(id);
    if (!(await removeConnection(db, { user_id, id }))) throw noSuchConnection();
    return json(DELETED);
  };
