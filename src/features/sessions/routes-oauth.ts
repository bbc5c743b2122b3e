import type { Routes } from '../../platform/http/operation.ts';
import { completeOauth } from './complete-oauth.ts';
import type { oauthContract } from './contract-oauth.ts';
import type { SessionsDeps } from './deps.ts';
import { finishOauth } from './finish-oauth.ts';
import { getClientMetadata } from './get-client-metadata.ts';
import { startOauth } from './start-oauth.ts';

export const oauthRoutes = (deps: SessionsDeps): Routes<typeof oauthContract> => ({
  startOauth: startOauth(deps),
  finishOauth: finishOauth(deps),
  completeOauth: completeOauth(deps),
  getClientMetadata: getClientMetadata(deps),
});
