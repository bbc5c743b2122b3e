import type { Tool } from '../../platform/tools/tool.ts';
import type { SessionsDeps } from './deps.ts';
import { connectionCall } from './tools/connection-call.ts';
import { connectionList } from './tools/connection-list.ts';
import { connectionTools } from './tools/connection-tools.ts';

/** What models are offered of connections. Tools of servers never stand among ours: they are called through these. */
export const sessionsTools = (deps: SessionsDeps): Tool[] => [
  connectionList(deps),
  connectionTools(deps),
  connectionCall(deps),
];
