import type { Routes } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import { createRig } from './create.ts';
import { deleteRig } from './delete.ts';
import type { RigsDeps } from './deps.ts';
import { getRig } from './get.ts';
import { listRigs } from './list.ts';
import { resolveRig } from './resolve.ts';
import { updateRig } from './update.ts';
import { verifyRig } from './verify.ts';

export const rigsRoutes = (deps: RigsDeps): Routes<typeof rigsContract> => ({
  create: createRig(deps),
  list: listRigs(deps),
  get: getRig(deps),
  update: updateRig(deps),
  delete: deleteRig(deps),
  resolve: resolveRig(deps),
  verify: verifyRig(deps),
});
