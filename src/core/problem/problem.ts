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
  /** Which of the code's reasons it is. */
  reason?: string;
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

  /** Wings make Problems by the function beside their table, so that kind, code and reason fit each other. */
  constructor(kind: ProblemKind, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    const { reason, extensions = {} } = options;
    this.extensions = reason === undefined ? extensions : { reason, ...extensions };
  }

  get status(): number {
    return PROBLEM_STATUS[this.kind];
  }

  /** Sent as the member `reason`, and so kept wherever the extensions are. */
  get reason(): string | undefined {
    const { reason } = this.extensions;
    return typeof reason === 'string' ? reason : undefined;
  }
}

/** Whether it is a Problem with this code, and with one of these reasons if any are named. */
export const isProblem = <const C extends string>(
  error: unknown,
  code: C,
  ...reasons: string[]
): error is Problem & { readonly code: C } =>
  error instanceof Problem && error.code === code && (reasons.length === 0 || reasons.includes(error.reason as string));

/** A failure as it is stored and shown where there is no response: with its reason if it has one. */
export interface ProblemBrief {
  code: string;
  reason?: string;
  detail: string;
}

export const briefOf = ({ code, reason, message: detail }: Problem): ProblemBrief =>
  reason === undefined ? { code, detail } : { code, reason, detail };
