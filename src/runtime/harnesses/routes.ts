import type { Routes } from '#core/http/operation.ts';
import type { harnessesContract } from './contract.ts';
import { createHarness } from './create.ts';
import { getContext } from '#runtime/context/get.ts';
import { getHarness } from './get.ts';
import { getMemory } from '#runtime/memory/get.ts';
import { listHarnesses } from './list.ts';
import { listMemories } from '#runtime/memory/list.ts';
import { updateContext } from '#runtime/context/update.ts';
import { updateHarness } from './update.ts';
import { updateMemory } from '#runtime/memory/update.ts';
import type { HarnessesDeps } from './usage.ts';
import { writeMemories } from '#runtime/memory/write.ts';

export const harnessesRoutes = (deps: HarnessesDeps): Routes<typeof harnessesContract> => ({
  listHarnesses: listHarnesses(deps),
  createHarness: createHarness(deps),
  getHarness: getHarness(deps),
  updateHarness: updateHarness(deps),
  listMemories: listMemories(deps),
  writeMemories: writeMemories(deps),
  getMemory: getMemory(deps),
  updateMemory: updateMemory(deps),
  getContext: getContext(deps),
  updateContext: updateContext(deps),
});
