import { isProblem, type Problem } from '#core/problem/problem.ts';
import { problemBody } from './problem-body.ts';

/** Error formats: ours, or that of the standard that defines the operation. */

/**
 * `oauth`: RFC 6749, section 5.2. `registry`: `{error}` of the MCP registry. `jsonrpc`: an error response of JSON-RPC
 * 2.0.
 */
export type ErrorForm = 'oauth' | 'registry' | 'jsonrpc';

interface WrittenError {
  media_type: string;
  body: unknown;
}

export const writeError = (problem: Problem, request_id: string, form: ErrorForm | undefined): WrittenError =>
  form === undefined
    ? { media_type: 'application/problem+json', body: problemBody(problem, request_id) }
    : { media_type: 'application/json', body: FORMS[form](problem, request_id) };

const FORMS: Record<ErrorForm, (problem: Problem, requestId: string) => unknown> = {
  oauth: ({ kind, message, extensions }) => ({
    error: extensions.oauth_error ?? OAUTH_ERRORS[kind] ?? 'invalid_request',
    // The characters that section 5.2 allows.
    error_description: message
      .replace(/["’]/g, "'")
      .replace(/[^\x20-\x7e]/g, '?')
      .replaceAll('\\', '/'),
  }),
  registry: ({ message }) => ({ error: message }),
  jsonrpc: (problem, requestId) => jsonrpcError(null, problem, requestId),
};

/** Returns an error response whose `data` is the problem. `id` is the id of the request, or null. */
export const jsonrpcError = (id: string | number | null, problem: Problem, request_id: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: jsonrpcCode(problem), message: problem.message, data: problemBody(problem, request_id) },
});

/** Uses a code that JSON-RPC defines if one fits, otherwise -32000, which is for server errors. */
function jsonrpcCode(problem: Problem): number {
  if (isProblem(problem, 'http.invalid', 'json')) return -32700;
  return problem.kind === 'internal' ? -32603 : -32000;
}

const OAUTH_ERRORS: Partial<Record<Problem['kind'], string>> = {
  unauthenticated: 'invalid_client',
  internal: 'server_error',
  unavailable: 'temporarily_unavailable',
  rate_limited: 'temporarily_unavailable',
};
