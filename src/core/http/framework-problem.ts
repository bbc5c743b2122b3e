import { Problem } from '#core/problem/problem.ts';
import { malformedPath } from './path.ts';

/** Bodies of requests; headers have Node's own limit of 16 KiB. */
export const BODY_LIMIT_BYTES = 1_048_576;

/** The framework's own refusals in our words; any other error as it came. */
export function frameworkProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem(
        'too_large',
        'http.body_too_large',
        `Request body too large (limit: ${BODY_LIMIT_BYTES} bytes).`,
      );
    case 'FST_ERR_BAD_URL':
      return malformedPath();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('invalid_request', 'http.malformed_request', 'The body length does not match Content-Length.');
    // Also of requests that need no Content-Type.
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', 'http.unsupported_media_type', 'Invalid Content-Type header.');
    // Of the method QUERY, which the framework holds to it before it looks whether anybody takes it.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new Problem('unsupported_media_type', 'http.unsupported_media_type', 'Missing Content-Type header.');
    default:
      return error;
  }
}
