import { defined } from '#core/defined.ts';
import { json, type Reply } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';

/** The JSON-RPC 2.0 types of this endpoint. */

export type RpcId = string | number | null;

export interface RpcMessage {
  jsonrpc: '2.0';
  method?: string;
  /** Absent in notifications. */
  id?: string | number;
  params?: Record<string, unknown>;
}

export const RPC = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal: -32603,
  unsupported_version: -32022,
} as const;

/** A protocol error. The library reads `code` and `data` from exceptions. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** A message that is refused with an HTTP status. */
export class Refusal extends RpcError {
  readonly status: number;
  readonly id: RpcId;

  constructor(status: number, code: number, message: string, id: RpcId = null, data?: unknown) {
    super(code, message, data);
    this.status = status;
    this.id = id;
  }
}

export const refusalReply = ({ status, id, code, message, data }: Refusal): Reply =>
  json({ jsonrpc: '2.0', id, error: { code, message, ...defined({ data }) } }, { status });

/** Errors in the request are the sender's; the rest are ours. */
export function rpcErrorOf(problem: Problem): RpcError {
  const { kind, code, message, errors } = problem;
  const isTheirs = problem.status < 500 && kind !== 'rate_limited' && kind !== 'quota_exceeded';
  const data = { code, status: problem.status, ...defined({ errors }) };
  return new RpcError(isTheirs ? RPC.invalid_params : RPC.internal, message, data);
}
