import type { Routes } from '#core/http/operation.ts';
import { acceptTool } from './accept.ts';
import { callTool } from './call.ts';
import type { toolsContract } from './contract.ts';
import type { SessionsDeps } from '#connections/connections/deps.ts';
import { listTools } from './list.ts';

export const toolsRoutes = (deps: SessionsDeps): Routes<typeof toolsContract> => ({
  listTools: listTools(deps),
  callTool: callTool(deps),
  acceptTool: acceptTool(deps),
});
