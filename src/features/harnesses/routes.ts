import type { Routes } from '../../platform/http/operation.ts';
import type { harnessesContract } from './contract.ts';
import { createHarness } from './create-harness.ts';
import { getContext } from './get-context.ts';
import { getHarness } from './get-harness.ts';
import { getMemory } from './get-memory.ts';
import { listHarnesses } from './list-harnesses.ts';
import { listMemories } from './list-memories.ts';
import { updateContext } from './update-context.ts';
import { updateHarness } from './update-harness.ts';
import { updateMemory } from './update-memory.ts';
import type { HarnessesDeps } from './usage.ts';
import { writeMemories } from './write-memories.ts';

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
