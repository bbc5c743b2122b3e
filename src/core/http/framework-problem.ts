import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { malformedPath } from './path.ts';

/** Limit for request bodies. Node limits headers to 16 KiB. */
export const BODY_LIMIT_BYTES = 1_048_576;

/** Maps errors of the framework to problems. Other errors are returned unchanged. */
export function frameworkProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return coreProblem('http.content_too_large', `Request body too large (limit: ${BODY_LIMIT_BYTES} bytes).`, {
        reason: 'bytes',
      });
    case 'FST_ERR_BAD_URL':
      return malformedPath();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return coreProblem('http.invalid', 'The body length does not match Content-Length.', { reason: 'message' });
    // Also applies to requests that need no Content-Type.
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return coreProblem('http.unsupported_media_type', 'Invalid Content-Type header.');
    // For the method QUERY: the framework checks its Content-Type before it looks for a route.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return coreProblem('http.unsupported_media_type', 'Missing Content-Type header.');
    default:
      return error;
  }
}
