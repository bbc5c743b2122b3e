import type { SessionsDeps } from '#connections/connections/deps.ts';
import type { Tool } from '#core/tools/tool.ts';
import { connectionCall } from './connection-call.ts';
import { connectionList } from './connection-list.ts';
import { connectionTools } from './connection-tools.ts';

/** What models are offered of connections. Tools of servers never stand among ours: they are called through these. */
export const sessionsTools = (deps: SessionsDeps): Tool[] => [
  connectionList(deps),
  connectionTools(deps),
  connectionCall(deps),
];
