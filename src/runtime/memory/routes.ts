import type { Routes } from '#core/http/operation.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import type { memoryContract } from './contract.ts';
import { getMemory } from './get.ts';
import { listMemories } from './list.ts';
import { updateMemory } from './update.ts';
import { writeMemories } from './write.ts';

export const memoryRoutes = (deps: HarnessesDeps): Routes<typeof memoryContract> => ({
  list: listMemories(deps),
  write: writeMemories(deps),
  get: getMemory(deps),
  update: updateMemory(deps),
});
