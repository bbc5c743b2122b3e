import type { Routes } from '../../platform/http/operation.ts';
import type { connectionsContract } from './contract-connections.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import type { SessionsDeps } from './deps.ts';
import { getConnection } from './get-connection.ts';
import { listConnections } from './list-connections.ts';

export const connectionsRoutes = (deps: SessionsDeps): Routes<typeof connectionsContract> => ({
  createConnection: createConnection(deps),
  listConnections: listConnections(deps),
  getConnection: getConnection(deps),
  deleteConnection: deleteConnection(deps),
});
