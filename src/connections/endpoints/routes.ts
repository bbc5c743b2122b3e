import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { endpointsContract } from './contract.ts';
import { createEndpoint } from './create.ts';
import { deleteEndpoint } from './delete.ts';
import { getEndpoint } from './get.ts';
import { listEndpoints } from './list.ts';
import { offerConnection } from './offer.ts';
import { updateEndpoint } from './update.ts';

export const endpointsRoutes = (deps: ConnectionsDeps): Routes<typeof endpointsContract> => ({
  create: createEndpoint(deps),
  list: listEndpoints(deps),
  get: getEndpoint(deps),
  update: updateEndpoint(deps),
  offer: offerConnection(deps),
  delete: deleteEndpoint(deps),
});
