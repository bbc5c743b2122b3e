import { a2aContract } from '#surfaces/a2a/contract.ts';
import { agentsContract } from '#surfaces/agent/contract.ts';
import { authContract } from './features/auth/contract.ts';
import { discoveryContract } from '#surfaces/discovery/contract.ts';
import { docsContract } from '#surfaces/docs/contract.ts';
import { harnessesContract } from './features/harnesses/contract.ts';
import { interopContract } from '#surfaces/interop/contract.ts';
import { marketplaceContract } from './features/marketplace/contract.ts';
import { mcpContract } from '#surfaces/mcp/contract.ts';
import { receiptsContract } from '#runtime/receipts/contract.ts';
import { registryContract } from '#catalog/items/contract.ts';
import { rigsContract } from '#runtime/rigs/contract.ts';
import { sessionsContract } from './features/sessions/contract.ts';
import { skillsContract } from '#runtime/skills/contract.ts';
import { tasksContract } from '#runtime/tasks/contract.ts';
import { tracesContract } from '#core/traces/contract.ts';
import { usersContract } from './features/users/contract.ts';
import { healthContract } from '#core/health/contract.ts';
import type { OperationBase } from '#core/http/operation.ts';

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
