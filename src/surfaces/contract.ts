import { a2aContract } from './a2a/contract.ts';
import { agentContract } from './agent/contract.ts';
import { agentSkillsContract } from './agent-skills/contract.ts';
import { conversationsContract } from './conversations/contract.ts';
import { discoveryContract } from './discovery/contract.ts';
import { docsContract } from './docs/contract.ts';
import { documentsContract } from './documents/contract.ts';
import { mcpContract } from './mcp/contract.ts';
import { mineContract } from './mine/contract.ts';
import { serversContract } from './servers/contract.ts';

/** The operations of this wing by resource. */
export const surfacesWing = {
  docs: docsContract,
  agent: agentContract,
  conversations: conversationsContract,
  a2a: a2aContract,
  mcp: mcpContract,
  mine: mineContract,
  discovery: discoveryContract,
  servers: serversContract,
  agentSkills: agentSkillsContract,
  documents: documentsContract,
} as const;
