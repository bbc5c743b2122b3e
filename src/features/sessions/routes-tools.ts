import type { Routes } from '../../platform/http/operation.ts';
import { acceptTool } from './accept-tool.ts';
import { callTool } from './call-tool.ts';
import type { toolsContract } from './contract-tools.ts';
import type { SessionsDeps } from './deps.ts';
import { listTools } from './list-tools.ts';

export const toolsRoutes = (deps: SessionsDeps): Routes<typeof toolsContract> => ({
  listTools: listTools(deps),
  callTool: callTool(deps),
  acceptTool: acceptTool(deps),
});
