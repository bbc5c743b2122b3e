import { connectionsContract } from './contract-connections.ts';
import { credentialsContract } from './contract-credentials.ts';
import { oauthContract } from './contract-oauth.ts';
import { toolsContract } from './contract-tools.ts';

/** The sessions feature as data: managed connections to MCP servers. */
export const sessionsContract = {
  ...connectionsContract,
  ...toolsContract,
  ...credentialsContract,
  ...oauthContract,
} as const;
