import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Tool } from '#core/tools/tool.ts';
import { connectionCall } from './connection-call.ts';
import { connectionList } from './connection-list.ts';
import { connectionPrompts } from './connection-prompts.ts';
import { connectionResources } from './connection-resources.ts';
import { connectionTools } from './connection-tools.ts';

/** Model tools of connections. Tools of servers are never mixed with ours: these tools call them. */
export const connectionModelTools = (deps: ConnectionsDeps): Tool[] => [
  connectionList(deps),
  connectionTools(deps),
  connectionCall(deps),
  connectionResources(deps),
  connectionPrompts(deps),
];
