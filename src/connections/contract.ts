import { authorizationContract } from './authorization/contract.ts';
import { connectionsContract } from './connections/contract.ts';
import { credentialsContract } from './credentials/contract.ts';
import { endpointsContract } from './endpoints/contract.ts';
import { hostsContract } from './hosts/contract.ts';
import { promptsContract } from './prompts/contract.ts';
import { questionsContract } from './questions/contract.ts';
import { resourcesContract } from './resources/contract.ts';
import { toolsContract } from './tools/contract.ts';

/** The operations of this wing by resource. */
export const connectionsWing = {
  connections: connectionsContract,
  tools: toolsContract,
  resources: resourcesContract,
  prompts: promptsContract,
  questions: questionsContract,
  credentials: credentialsContract,
  authorization: authorizationContract,
  hosts: hostsContract,
  endpoints: endpointsContract,
} as const;
