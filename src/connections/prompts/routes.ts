import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { promptsContract } from './contract.ts';
import { getPrompt } from './get.ts';
import { listPrompts } from './list.ts';

export const promptsRoutes = (deps: ConnectionsDeps): Routes<typeof promptsContract> => ({
  list: listPrompts(deps),
  get: getPrompt(deps),
});
