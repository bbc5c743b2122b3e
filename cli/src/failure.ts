import { CapstanError, type ErrorKind } from '../../sdk/src/index.ts';

/** What went wrong on this side, in the form in which the service tells its own. */
export class Failure extends Error {
  readonly code: string;
  readonly exit_code: number;
  readonly fix: string;

  constructor(
    code: string,
    detail: string,
    { fix = '', exit_code = EXIT.error }: { fix?: string; exit_code?: number } = {},
  ) {
    super(detail);
    this.code = code;
    this.fix = fix;
    this.exit_code = exit_code;
  }
}

export const EXIT = { ok: 0, error: 1, usage: 2, not_found: 3, denied: 4, conflict: 5 } as const;

export const usage = (detail: string, fix = ''): Failure =>
  new Failure('cli.usage', detail, { fix, exit_code: EXIT.usage });

const EXIT_OF: Partial<Record<ErrorKind, number>> = {
  ...{ invalid_request: EXIT.usage, unprocessable: EXIT.usage, invalid_call: EXIT.usage, too_large: EXIT.usage },
  ...{ not_found: EXIT.not_found, gone: EXIT.not_found },
  ...{ unauthenticated: EXIT.denied, forbidden: EXIT.denied, signature_required: EXIT.denied },
  conflict: EXIT.conflict,
};

export interface Told {
  code: string;
  detail: string;
  fix: string;
  errors: readonly { pointer: string; detail: string }[];
  request_id: string | null;
  exit_code: number;
}

/** Null: a bug, or something of the machine's, which is told as it is. */
export function tellOf(error: unknown, base_url: string): Told | null {
  if (error instanceof Failure) {
    const { code, message, fix, exit_code } = error;
    return { code, detail: message, fix, errors: [], request_id: null, exit_code };
  }
  if (!(error instanceof CapstanError)) return null;
  const { code, detail, errors, request_id, kind } = error;
  return { code, detail, errors, request_id, fix: fixOf(error, base_url), exit_code: EXIT_OF[kind] ?? EXIT.error };
}

function fixOf({ kind, retry_after_ms, type }: CapstanError, base_url: string): string {
  switch (kind) {
    case 'unauthenticated':
      return 'Sign in: capstan login';
    case 'signature_required':
      return 'This needs your wallet: name its key with --wallet-key FILE, or CAPSTAN_WALLET_KEY_FILE.';
    case 'network':
      return `Is the service at ${base_url}? Another one is named with --url or CAPSTAN_URL.`;
    case 'drift':
      return 'Install the release of this program that goes with the service.';
    case 'rate_limited':
    case 'quota_exceeded':
      return retry_after_ms === null ? '' : `Try again in ${Math.ceil(retry_after_ms / 1_000)} s.`;
    default:
      return type === null ? '' : `See ${URL.parse(type, base_url)?.href ?? type}`;
  }
}
