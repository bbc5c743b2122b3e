import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import { completeOauth } from './complete.ts';
import type { authorizationContract } from './contract.ts';
import { finishOauth } from './finish.ts';
import { getClientMetadata } from './get-client-metadata.ts';
import { startOauth } from './start.ts';

export const authorizationRoutes = (deps: ConnectionsDeps): Routes<typeof authorizationContract> => ({
  start: startOauth(deps),
  finish: finishOauth(deps),
  complete: completeOauth(deps),
  getClientMetadata: getClientMetadata(deps),
});
