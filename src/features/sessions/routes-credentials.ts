import type { Routes } from '../../platform/http/operation.ts';
import type { credentialsContract } from './contract-credentials.ts';
import type { SessionsDeps } from './deps.ts';
import { storeCredentials } from './store-credentials.ts';

export const credentialsRoutes = (deps: SessionsDeps): Routes<typeof credentialsContract> => ({
  storeCredentials: storeCredentials(deps),
});
