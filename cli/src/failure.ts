import { CapstanError, type ErrorKind } from '../../sdk/src/index.ts';

/** Client-side errors in the format of the service's errors. */
export class Failure extends Error {
  readonly code: string;
  readonly exit_code: number;
  readonly fix: string;
  readonly reason: string | null;

  constructor(
    code: string,
    detail: string,
    { fix, exit_code = EXIT.error, reason }: { fix: string; exit_code?: number; reason?: string | undefined },
  ) {
    super(detail);
    this.code = code;
    this.reason = reason ?? null;
    this.fix = fix;
    this.exit_code = exit_code;
  }
}

export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  not_found: 3,
  issuer_unknown: 3,
  denied: 4,
  conflict: 5,
  interrupted: 130,
} as const;

export const usage = (detail: string, fix: string): Failure =>
  new Failure('cli.usage', detail, { fix, exit_code: EXIT.usage });

export const onlyLocal = (flag: string): Failure => usage(`--${flag} can only be used with --local.`, 'Remove it.');

const EXIT_OF: Partial<Record<ErrorKind, number>> & Record<string, number | undefined> = {
  invalid_request: EXIT.usage,
  unprocessable: EXIT.usage,
  invalid_call: EXIT.usage,
  too_large: EXIT.usage,
  not_found: EXIT.not_found,
  gone: EXIT.not_found,
  unauthenticated: EXIT.denied,
  forbidden: EXIT.denied,
  signature_required: EXIT.denied,
  conflict: EXIT.conflict,
};

/** Of a failure of this kind, of the service or of a box. */
export const exitOf = (kind: string): number => EXIT_OF[kind] ?? EXIT.error;

export interface Told {
  code: string;
  /** The reason within the code; null if it has none. */
  reason: string | null;
  detail: string;
  fix: string;
  errors: readonly { pointer: string; detail: string }[];
  request_id: string | null;
  exit_code: number;
}

/** Null for bugs. */
export function tellOf(error: unknown, base_url: string): Told | null {
  if (error instanceof Failure) {
    const { code, reason, message, fix, exit_code } = error;
    return { code, reason, detail: message, fix, errors: [], request_id: null, exit_code };
  }
  if (isOfMachine(error))
    return {
      code: 'cli.machine',
      reason: null,
      detail: error.message,
      fix: MACHINE,
      errors: [],
      request_id: null,
      exit_code: EXIT.error,
    };
  if (!(error instanceof CapstanError)) return null;
  const { code, reason, detail, errors, request_id, kind } = error;
  return {
    code,
    reason,
    detail,
    errors,
    request_id,
    fix: fixOf(error, base_url),
    exit_code: exitOf(kind),
  };
}

const MACHINE = 'Check the file, its permissions and the free disk space.';

/** File system errors, such as missing permissions or a full disk. */
const isOfMachine = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number';

function fixOf({ kind, code, detail, retry_after_ms, type, request_id }: CapstanError, baseUrl: string): string {
  const page = type === null ? null : `See ${URL.parse(type, baseUrl)?.href ?? type}`;
  const soon = retry_after_ms === null ? 'in a while' : `in ${Math.ceil(retry_after_ms / 1_000)} s`;
  switch (kind) {
    case 'unauthenticated':
      return SIGN_IN;
    case 'signature_required':
      return 'This requires your wallet. Set --wallet-key FILE or CAPSTAN_WALLET_KEY_FILE.';
    case 'network':
    case 'unexpected_answer':
      return `Check that the service is at ${baseUrl}. Use --url or CAPSTAN_URL for another one.`;
    case 'drift':
      return RELEASE;
    case 'rate_limited':
    case 'quota_exceeded':
    case 'unavailable':
    case 'timeout':
      if (code === 'trials.limit_exceeded') return SIGN_IN;
      // Once is enough.
      return /\b(?:retry|try again)\b/i.test(detail) ? (page ?? '') : `Retry ${soon}.`;
    case 'not_found':
    case 'gone':
      return page ?? 'Run capstan search to find capabilities.';
    default:
      return (
        page ??
        (request_id === null
          ? 'Run capstan help for more information.'
          : `Report request ${request_id} to the operator.`)
      );
  }
}

const SIGN_IN = 'Sign in: capstan login';

/** An incompatible contract version of the service. */
export const RELEASE = 'Install the release of @capstan/cli that matches the service.';
