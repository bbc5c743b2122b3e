import type { Routes } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import { deleteUser } from './delete.ts';
import type { UsersDeps } from './deps.ts';
import { exportUser } from './export.ts';
import { getUser } from './get.ts';
import { listAccounts } from './list.ts';
import { lookupUser } from './look-up.ts';
import { revokeAccess } from './revoke.ts';
import { setUserTier } from './set-tier.ts';
import { suspendUser } from './suspend.ts';
import { updateUser } from './update.ts';

export const usersRoutes = (deps: UsersDeps): Routes<typeof usersContract> => ({
  lookUp: lookupUser(deps),
  get: getUser(deps),
  update: updateUser(deps),
  delete: deleteUser(deps),
  export: exportUser(deps),
  list: listAccounts(deps),
  suspend: suspendUser(deps),
  setTier: setUserTier(deps),
  revoke: revokeAccess(deps),
});
