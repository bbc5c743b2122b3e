import type { Routes } from '#core/http/operation.ts';
import type { harnessesContract } from './contract.ts';
import { createHarness } from './create.ts';
import { getHarness } from './get.ts';
import { listHarnesses } from './list.ts';
import { updateHarness } from './update.ts';
import type { HarnessesDeps } from './usage.ts';

export const harnessesRoutes = (deps: HarnessesDeps): Routes<typeof harnessesContract> => ({
  list: listHarnesses(deps),
  create: createHarness(deps),
  get: getHarness(deps),
  update: updateHarness(deps),
});
