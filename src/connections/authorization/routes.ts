import type { Routes } from '#core/http/operation.ts';
import { completeOauth } from './complete.ts';
import type { oauthContract } from './contract.ts';
import type { SessionsDeps } from '#connections/connections/deps.ts';
import { finishOauth } from './finish.ts';
import { getClientMetadata } from './get-client-metadata.ts';
import { startOauth } from './start.ts';

export const oauthRoutes = (deps: SessionsDeps): Routes<typeof oauthContract> => ({
  startOauth: startOauth(deps),
  finishOauth: finishOauth(deps),
  completeOauth: completeOauth(deps),
  getClientMetadata: getClientMetadata(deps),
});
