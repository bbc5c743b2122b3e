import { authorizationRoutes } from './authorization/routes.ts';
import type { ConnectionsDeps } from './connections/deps.ts';
import { connectionsRoutes } from './connections/routes.ts';
import { credentialsRoutes } from './credentials/routes.ts';
import { endpointsRoutes } from './endpoints/routes.ts';
import { hostsRoutes } from './hosts/routes.ts';
import { promptsRoutes } from './prompts/routes.ts';
import { questionsRoutes } from './questions/routes.ts';
import { resourcesRoutes } from './resources/routes.ts';
import { toolsRoutes } from './tools/routes.ts';

/** The routes of this wing by resource. */
export const connectionsWingRoutes = (deps: ConnectionsDeps) => ({
  connections: connectionsRoutes(deps),
  tools: toolsRoutes(deps),
  resources: resourcesRoutes(deps),
  prompts: promptsRoutes(deps),
  questions: questionsRoutes(deps),
  credentials: credentialsRoutes(deps),
  authorization: authorizationRoutes(deps),
  hosts: hostsRoutes(deps),
  endpoints: endpointsRoutes(deps),
});
