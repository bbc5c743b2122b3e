import type { Problem } from '../problem.ts';
import { problemBody } from './problem-body.ts';

/** The form that a failure is written in: ours, or that of the standard which owns the operation. */

/** `oauth`: RFC 6749 section 5.2. `registry`: the MCP registry's `{error}`. */
export type ErrorForm = 'oauth' | 'registry';

export interface WrittenError {
  media_type: string;
  body: unknown;
}

export const writeError = (problem: Problem, request_id: string, form: ErrorForm | undefined): WrittenError =>
  form === undefined
    ? { media_type: 'application/problem+json', body: problemBody(problem, request_id) }
    : { media_type: 'application/json', body: FORMS[form](problem) };

const FORMS: Record<ErrorForm, (problem: Problem) => unknown> = {
  oauth: ({ kind, message, extensions }) => ({
    error: extensions.oauth_error ?? OAUTH_ERRORS[kind] ?? 'invalid_request',
    // The characters that section 5.2 allows there.
    error_description: message
      .replaceAll('"', "'")
      .replace(/[^\x20-\x7e]/g, '?')
      .replaceAll('\\', '/'),
  }),
  registry: ({ message }) => ({ error: message }),
};

const OAUTH_ERRORS: Partial<Record<Problem['kind'], string>> = {
  unauthenticated: 'invalid_client',
  internal: 'server_error',
  unavailable: 'temporarily_unavailable',
  rate_limited: 'temporarily_unavailable',
};
