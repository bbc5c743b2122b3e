import type { Routes } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import { createApiKey } from '#accounts/api-keys/create.ts';
import { deleteApiKey } from '#accounts/api-keys/delete.ts';
import { deleteUser } from './delete.ts';
import type { UsersDeps } from './deps.ts';
import { exportUser } from './export.ts';
import { getUser } from './get.ts';
import { listApiKeys } from '#accounts/api-keys/list.ts';
import { lookupUser } from './look-up.ts';
import { updateUser } from './update.ts';

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
