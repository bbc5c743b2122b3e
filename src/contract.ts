import { a2aContract } from './features/agents/a2a/contract.ts';
import { agentsContract } from './features/agents/contract.ts';
import { authContract } from './features/auth/contract.ts';
import { discoveryContract } from './features/discovery/contract.ts';
import { docsContract } from './features/docs/contract.ts';
import { harnessesContract } from './features/harnesses/contract.ts';
import { interopContract } from './features/interop/contract.ts';
import { marketplaceContract } from './features/marketplace/contract.ts';
import { mcpContract } from './features/mcp/contract.ts';
import { receiptsContract } from './features/receipts/contract.ts';
import { registryContract } from './features/registry/contract.ts';
import { rigsContract } from './features/rigs/contract.ts';
import { sessionsContract } from './features/sessions/contract.ts';
import { skillsContract } from './features/skills/contract.ts';
import { tasksContract } from './features/tasks/contract.ts';
import { tracesContract } from './features/traces/contract.ts';
import { usersContract } from './features/users/contract.ts';
import { healthContract } from './platform/health/contract.ts';
import type { OperationBase } from './platform/http/operation.ts';

/** Every operation there is. Routes, handler types, openapi.yaml, docs and clients are functions of it. */
export const CONTRACT = {
  docs: docsContract,
  users: usersContract,
  auth: authContract,
  registry: registryContract,
  skills: skillsContract,
  traces: tracesContract,
  sessions: sessionsContract,
  harnesses: harnessesContract,
  rigs: rigsContract,
  receipts: receiptsContract,
  tasks: tasksContract,
  agents: agentsContract,
  a2a: a2aContract,
  marketplace: marketplaceContract,
  mcp: mcpContract,
  discovery: discoveryContract,
  interop: interopContract,
  health: healthContract,
} as const;

export const OPERATIONS: readonly OperationBase[] = Object.values(CONTRACT).flatMap((it): OperationBase[] =>
  Object.values(it),
);

/** Semantic version of the contract; moves when a client could notice, whatever the service's own version. */
export const CONTRACT_VERSION = '0.5.0';
