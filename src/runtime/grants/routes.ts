import type { Routes } from '#core/http/operation.ts';
import type { grantsContract } from './contract.ts';
import { deleteGrants } from './delete.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { getGrants } from './get.ts';
import { replaceGrantHosts } from './replace-hosts.ts';
import { storeGrantSecrets } from './store-secrets.ts';
import { updateGrants } from './update.ts';

export const grantsRoutes = (deps: GrantsOperationsDeps): Routes<typeof grantsContract> => ({
  get: getGrants(deps),
  update: updateGrants(deps),
  replaceHosts: replaceGrantHosts(deps),
  storeSecrets: storeGrantSecrets(deps),
  delete: deleteGrants(deps),
});
