import type { AuthDeps } from '#accounts/auth/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { devicesContract } from './contract.ts';
import { deleteDevice } from './delete.ts';
import { listDevices } from './list.ts';

export const devicesRoutes = (deps: Pick<AuthDeps, 'database' | 'clock'>): Routes<typeof devicesContract> => ({
  list: listDevices(deps),
  delete: deleteDevice(deps),
});
