import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import { acceptTool } from './accept.ts';
import { acceptAllTools } from './accept-all.ts';
import { callTool } from './call.ts';
import type { toolsContract } from './contract.ts';
import { listTools } from './list.ts';

export const toolsRoutes = (deps: ConnectionsDeps): Routes<typeof toolsContract> => ({
  list: listTools(deps),
  call: callTool(deps),
  accept: acceptTool(deps),
  acceptAll: acceptAllTools(deps),
});
