import { accountsWing } from '#accounts/contract.ts';
import { catalogWing } from '#catalog/contract.ts';
import { connectionsWing } from '#connections/contract.ts';
import { coreWing } from '#core/contract.ts';
import type { Contract, OperationBase } from '#core/http/operation.ts';
import { marketplaceWing } from '#marketplace/contract.ts';
import { runtimeWing } from '#runtime/contract.ts';
import { surfacesWing } from '#surfaces/contract.ts';

/** Every operation by wing and resource. Routes, handler types, openapi.yaml, docs and clients are derived from it. */
export const CONTRACT = {
  surfaces: surfacesWing,
  accounts: accountsWing,
  catalog: catalogWing,
  runtime: runtimeWing,
  connections: connectionsWing,
  marketplace: marketplaceWing,
  core: coreWing,
} as const;

export const OPERATIONS: readonly OperationBase[] = Object.values(CONTRACT)
  .flatMap((wing) => Object.values<Contract>(wing))
  .flatMap((resource) => Object.values(resource));

/**
 * Semantic version of the API contract; changes whenever a client could notice, independently of the service's version.
 */
export const CONTRACT_VERSION = '0.6.0';
