import type { Routes } from '../../platform/http/operation.ts';
import type { rigsContract } from './contract.ts';
import { createRig } from './create-rig.ts';
import { deleteRig } from './delete-rig.ts';
import type { RigsDeps } from './deps.ts';
import { getRig } from './get-rig.ts';
import { listRigs } from './list-rigs.ts';
import { resolveRig } from './resolve-rig.ts';
import { updateRig } from './update-rig.ts';
import { verifyRig } from './verify-rig.ts';

export const rigsRoutes = (deps: RigsDeps): Routes<typeof rigsContract> => ({
  createRig: createRig(deps),
  listRigs: listRigs(deps),
  getRig: getRig(deps),
  updateRig: updateRig(deps),
  deleteRig: deleteRig(deps),
  resolveRig: resolveRig(deps),
  verifyRig: verifyRig(deps),
});
