import type { Routes } from '../../platform/http/operation.ts';
import type { usersContract } from './contract.ts';
import { createApiKey } from './create-api-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { deleteUser } from './delete-user.ts';
import type { UsersDeps } from './deps.ts';
import { exportUser } from './export-user.ts';
import { getUser } from './get-user.ts';
import { listApiKeys } from './list-api-keys.ts';
import { lookupUser } from './lookup-user.ts';
import { updateUser } from './update-user.ts';

export const usersRoutes = (deps: UsersDeps): Routes<typeof usersContract> => ({
  lookupUser: lookupUser(deps),
  getUser: getUser(deps),
  updateUser: updateUser(deps),
  deleteUser: deleteUser(deps),
  exportUser: exportUser(deps),
  listApiKeys: listApiKeys(deps),
  createApiKey: createApiKey(deps),
  deleteApiKey: deleteApiKey(deps),
});
