import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { credentialsContract } from './contract.ts';
import { storeCredentials } from './store.ts';

export const credentialsRoutes = (deps: ConnectionsDeps): Routes<typeof credentialsContract> => ({
  store: storeCredentials(deps),
});
