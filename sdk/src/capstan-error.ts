/** The one error that calls throw. A call that its caller aborts throws the signal's own reason instead. */

/** Kinds of client errors, in addition to those of the service. */
type LocalKind =
  /** The request could not be sent, or the response was interrupted. */
  | 'network'
  /** Nothing came in time. */
  | 'timeout'
  /** The response does not match the contract: it came from another service or a proxy. */
  | 'unexpected_answer'
  /** The call itself is wrong and was not sent. */
  | 'invalid_call'
  /** The contract of the service is another one. */
  | 'drift';

export type ErrorKind =
  | LocalKind
  | ('invalid_request' | 'unauthenticated' | 'signature_required' | 'forbidden' | 'not_found' | 'method_not_allowed')
  | ('not_acceptable' | 'request_timeout' | 'conflict' | 'gone' | 'too_large' | 'unsupported_media_type')
  | ('unprocessable' | 'rate_limited' | 'quota_exceeded' | 'headers_too_large' | 'internal' | 'upstream_failed')
  | ('unavailable' | 'upstream_timeout');

/** A wrong place in the input. */
export interface FieldError {
  /** A JSON Pointer, such as `/limit`. */
  pointer: string;
  detail: string;
}

interface ErrorFacts {
  kind: ErrorKind;
  code: string;
  reason?: string | null;
  detail: string;
  status?: number;
  errors?: readonly FieldError[];
  request_id?: string | null;
  type?: string | null;
  retry_after_ms?: number | null;
  body?: unknown;
  cause?: unknown;
}

export class CapstanError extends Error {
  readonly kind: ErrorKind;
  /** `<area>.<name>`, stable for programs; `sdk.<name>` without a response. */
  readonly code: string;
  /** The reason within the code, also stable for programs; null if the code has none. */
  readonly reason: string | null;
  /** The error, and the fix. */
  readonly detail: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly errors: readonly FieldError[];
  /** For the operator's log. */
  readonly request_id: string | null;
  /** Address of the page that explains the code. */
  readonly type: string | null;
  /** How long to wait before a retry; null if the service does not say. */
  readonly retry_after_ms: number | null;
  /** The whole response, including members specific to the code. */
  readonly body: unknown;

  constructor(facts: ErrorFacts) {
    super(facts.detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'CapstanError';
    this.kind = facts.kind;
    this.code = facts.code;
    this.reason = facts.reason ?? null;
    this.detail = facts.detail;
    this.status = facts.status ?? 0;
    this.errors = facts.errors ?? [];
    this.request_id = facts.request_id ?? null;
    this.type = facts.type ?? null;
    this.retry_after_ms = facts.retry_after_ms ?? null;
    this.body = facts.body;
  }
}

const KINDS: Record<number, ErrorKind> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'internal',
  502: 'upstream_failed',
  503: 'unavailable',
  504: 'upstream_timeout',
};

/** Two statuses have two kinds each, which the title distinguishes. */
const TWINS: Record<string, ErrorKind> = {
  'Signature required': 'signature_required',
  'Quota exceeded': 'quota_exceeded',
};

/** Converts an error response: a problem of RFC 9457, the format of another standard, or the response of a proxy. */
export async function errorOf(response: Response): Promise<CapstanError> {
  const text = await response.text().catch(() => '');
  const body = parsed(text);
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { status, headers } = response;
  const stated = problem.error as { code?: unknown; message?: unknown } | string | undefined;
  return new CapstanError({
    status,
    body,
    kind: TWINS[`${problem.title}`] ?? KINDS[status] ?? (status >= 500 ? 'internal' : 'invalid_request'),
    code: first(problem.code, typeof stated === 'object' ? stated?.code : stated) ?? `http.${status}`,
    reason: first(problem.reason) ?? null,
    detail:
      first(problem.detail, problem.error_description, typeof stated === 'object' ? stated?.message : stated) ??
      `The service answers ${status}${response.statusText === '' ? '' : ` ${response.statusText}`}.`,
    errors: Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [],
    request_id: first(problem.request_id, headers.get('x-request-id')) ?? null,
    type: first(problem.type) ?? null,
    retry_after_ms: retryAfterMs(headers.get('retry-after')),
  });
}

const isFieldError = (fieldError: Partial<FieldError> | null): fieldError is FieldError =>
  typeof fieldError?.pointer === 'string' && typeof fieldError.detail === 'string';

const first = (...values: unknown[]): string | undefined =>
  values
    .map((value) => (typeof value === 'number' ? `${value}` : value))
    .find((value) => typeof value === 'string' && value !== '') as string | undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Seconds, or a date of HTTP. */
function retryAfterMs(value: string | null, nowMs = Date.now()): number | null {
  if (value === null || value.trim() === '') return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
