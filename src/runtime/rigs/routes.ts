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
  createRig: createRig(deps),
  listRigs: listRigs(deps),
  getRig: getRig(deps),
  updateRig: updateRig(deps),
  deleteRig: deleteRig(deps),
  resolveRig: resolveRig(deps),
  verifyRig: verifyRig(deps),
});
