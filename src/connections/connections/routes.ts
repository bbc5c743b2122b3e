import type { Routes } from '#core/http/operation.ts';
import type { connectionsContract } from './contract.ts';
import { createConnection } from './create.ts';
import { deleteConnection } from './delete.ts';
import type { ConnectionsDeps } from './deps.ts';
import { getConnection } from './get.ts';
import { listConnections } from './list.ts';
import { updateConnection } from './update.ts';

export const connectionsRoutes = (deps: ConnectionsDeps): Routes<typeof connectionsContract> => ({
  create: createConnection(deps),
  list: listConnections(deps),
  get: getConnection(deps),
  update: updateConnection(deps),
  delete: deleteConnection(deps),
});
