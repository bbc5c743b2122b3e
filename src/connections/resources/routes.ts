import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { resourcesContract } from './contract.ts';
import { listResources } from './list.ts';
import { readResource } from './read.ts';

export const resourcesRoutes = (deps: ConnectionsDeps): Routes<typeof resourcesContract> => ({
  list: listResources(deps),
  read: readResource(deps),
});
