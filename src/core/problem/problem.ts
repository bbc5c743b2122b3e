/** Every expected failure is a Problem (RFC 9457). Any other exception is a bug and returned as `internal`. */

export const PROBLEM_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  signature_required: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected_request: 421,
  unprocessable: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ProblemKind = keyof typeof PROBLEM_STATUS;

/** One invalid part of the input: `pointer` is a JSON Pointer (`/limit`), `detail` says what is allowed there. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** The JSON Pointer (RFC 6901) to a member of this name. */
export const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export interface ProblemOptions {
  cause?: unknown;
  errors?: FieldError[];
  /** Response headers of the failure, such as `retry-after` (seconds). */
  headers?: Record<string, string>;
  /** Additional documented members, such as a tombstone. */
  extensions?: Record<string, unknown>;
}

export class Problem extends Error {
  readonly kind: ProblemKind;
  /** `<area>.<name>`; each has its page under docs/errors. */
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly extensions: Record<string, unknown>;

  constructor(kind: ProblemKind, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
  }

  get status(): number {
    return PROBLEM_STATUS[this.kind];
  }
}
