import { defined } from '#core/defined.ts';
import { json, type Reply } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';

/** JSON-RPC 2.0 with the protocol's error details: google.rpc objects with `@type`. */

export type RpcId = string | number | null;

export interface RpcCall {
  jsonrpc: '2.0';
  id: RpcId;
  method: string;
  params: Record<string, unknown>;
}

export const RPC = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  server_error: -32000,
} as const;

export interface Violation {
  /** Position in `params`, such as `message.parts[0].text`. */
  field: string;
  description: string;
}

export interface RpcErrorBody {
  code: number;
  message: string;
  data?: unknown[];
}

/** Sent instead of a result. */
export class Refusal extends Error {
  readonly id: RpcId;
  readonly error: RpcErrorBody;

  constructor(id: RpcId, error: RpcErrorBody) {
    super(error.message);
    this.name = 'Refusal';
    this.id = id;
    this.error = error;
  }
}

export const errorReply = (id: RpcId, error: RpcErrorBody, extra: Pick<Reply, 'status' | 'headers'> = {}): Reply =>
  json({ jsonrpc: '2.0', id, error }, extra);

export const invalidParams = (violations: readonly Violation[]): RpcErrorBody => ({
  code: RPC.invalid_params,
  message: `Invalid parameters: ${violations.map(({ field, description }) => `${field} ${description}`).join('; ')}.`,
  data: [badRequest(violations)],
});

const badRequest = (fieldViolations: readonly Violation[]) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations,
});

/** Converts a Problem; its code and page are in the details. */
export function problemError(problem: Problem, request_id: string): RpcErrorBody {
  const { kind, code, reason, message, status, errors = [] } = problem;
  const isTheirs =
    kind === 'invalid_request' || kind === 'unprocessable' || kind === 'not_found' || kind === 'too_large';
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code.replaceAll('.', '_').toUpperCase(),
    domain: 'capstan',
    metadata: {
      code,
      ...defined({ reason }),
      status: `${status}`,
      type: `/docs/errors/${code}`,
      request_id,
    },
  };
  const fields = errors.map(({ pointer, detail }) => ({ field: pointer, description: detail }));
  return {
    code: isTheirs ? RPC.invalid_params : RPC.server_error,
    message,
    data: fields.length === 0 ? [info] : [info, badRequest(fields)],
  };
}
