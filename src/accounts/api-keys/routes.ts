import type { UsersDeps } from '#accounts/users/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { apiKeysContract } from './contract.ts';
import { createApiKey } from './create.ts';
import { deleteApiKey } from './delete.ts';
import { listApiKeys } from './list.ts';

export const apiKeysRoutes = (deps: UsersDeps): Routes<typeof apiKeysContract> => ({
  list: listApiKeys(deps),
  create: createApiKey(deps),
  delete: deleteApiKey(deps),
});
