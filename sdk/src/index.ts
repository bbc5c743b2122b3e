/** A client for every operation of Capstan's HTTP contract. Runs in Node and in browsers. */

export { type Capstan, type CapstanOptions, createCapstan, purposeOf } from './capstan.ts';
export { CapstanError, type ErrorKind, type FieldError } from './capstan-error.ts';
export type { Answer, Call, CallOptions, Input, Reply, SignedIn, Signer, StepUp, WalletType } from './client.ts';
export type { Drift, DriftLevel } from './drift.ts';
export { every } from './every.ts';
export type * from './generated/contract.ts';
export { CONTRACT_VERSION } from './generated/operations.ts';
export { type Access, OPERATION_IDS, type Operation, type OperationId, operationOf } from './operation.ts';
export type { ReceiptJwk } from './receipts/public-key.ts';
export type { RunStatement } from './receipts/statement.ts';
export { isLocal } from './receipts/statement.ts';
export {
  type Bundle,
  type BundleCheck,
  type BundleVerdict,
  type KeySource,
  type Pin,
  verifyBundle,
} from './receipts/verify-bundle.ts';
export type { Fetch } from './send.ts';
export type { Purpose } from './sign-in.ts';
export {
  type ChatEvent,
  type ChatStep,
  type ConnectionEvent,
  type CredentialsEvent,
  type ExportLine,
  FINAL_STATUSES,
  type PackageStep,
  type ServerEvent,
  stepText,
  type TaskEvent,
  type TaskStatus,
  type ToolCallEvent,
} from './stream-items.ts';
