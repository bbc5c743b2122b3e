import type { Routes } from '../../platform/http/operation.ts';
import type { sessionsContract } from './contract.ts';
import type { SessionsDeps } from './deps.ts';
import { connectionsRoutes } from './routes-connections.ts';
import { credentialsRoutes } from './routes-credentials.ts';
import { oauthRoutes } from './routes-oauth.ts';
import { toolsRoutes } from './routes-tools.ts';

export const sessionsRoutes = (deps: SessionsDeps): Routes<typeof sessionsContract> => ({
  ...connectionsRoutes(deps),
  ...toolsRoutes(deps),
  ...credentialsRoutes(deps),
  ...oauthRoutes(deps),
});
