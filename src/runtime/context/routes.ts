import type { Routes } from '#core/http/operation.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import type { contextContract } from './contract.ts';
import { getContext } from './get.ts';
import { updateContext } from './update.ts';

export const contextRoutes = (deps: HarnessesDeps): Routes<typeof contextContract> => ({
  get: getContext(deps),
  update: updateContext(deps),
});
