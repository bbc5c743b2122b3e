import { CapstanError, errorOf } from './capstan-error.ts';
import { pause } from './pause.ts';
import type { Request } from './request.ts';

/** Sends a request and retries it as often as that is safe. */

/** The part of `fetch` that is used, so that an in-process one can be simple. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: 'follow' | 'manual';
  },
) => Promise<Response>;

interface SendOptions {
  fetch: Fetch;
  /** Further tries at most. */
  retries: number;
  /** Whether the request may be repeated if its outcome is unknown. */
  repeatable: boolean;
  /** Returns redirects instead of following them. */
  redirects: boolean;
  signal: AbortSignal;
}

const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 8_000;
/** The longest wait; longer ones are reported in the error. */
const MOST_ASKED_WAIT_MS = 30_000;
const MOST_REDIRECTS = 3;

export async function send(request: Request, options: SendOptions): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const { response, error } = await once(request, options);
    if (response !== undefined) return response;
    const waitMs = attempt < options.retries ? waitOf(error, attempt, options.repeatable) : null;
    if (waitMs === null) throw error;
    await pause(waitMs, options.signal);
  }
}

type Outcome = { response: Response; error?: never } | { response?: never; error: CapstanError };

async function once(request: Request, options: SendOptions): Promise<Outcome> {
  const { fetch, redirects, signal } = options;
  const { url, ...init } = request;
  const redirect = redirects || !mayTravel(request) ? 'manual' : 'follow';
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal, redirect });
    for (let hops = 0; hops < MOST_REDIRECTS; hops++) {
      const next = redirects ? null : movedTo(request, response);
      if (next === null) break;
      response = await fetch(next, { ...init, signal, redirect });
    }
  } catch (cause) {
    signal.throwIfAborted();
    const detail = `${request.method} ${url} got no answer: ${reasonOf(cause)}`;
    return { error: new CapstanError({ kind: 'network', code: 'sdk.network', detail, cause }) };
  }
  if (response.ok || response.status === 304 || (redirects && isRedirect(response))) return { response };
  return { error: await errorOf(response) };
}

/**
 * A body and a signature go to the service and to nobody that it names: `fetch` takes only the token back on the way to
 * another host.
 */
const mayTravel = ({ method, headers }: Request): boolean =>
  method === 'GET' && !Object.keys(headers).some((name) => name.toLowerCase() === 'x-wallet-signature');

/** The next address for a `fetch` that does not follow redirects, such as an in-process one. */
function movedTo({ method, url }: Request, { status, headers }: Response): string | null {
  const location = headers.get('location');
  if (method !== 'GET' || location === null || ![301, 302, 307, 308].includes(status)) return null;
  // Only within the service: a credential goes along.
  if (!/^\/(?![/\\])/.test(location)) return null;
  const [origin] = /^https?:\/\/[^/]+/.exec(url) ?? [''];
  return `${origin}${location}`;
}

const isRedirect = ({ status, type }: Response): boolean =>
  (status >= 300 && status < 400) || type === 'opaqueredirect';

/** The message of `fetch` is only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

/** How long to wait before a retry; null if a retry is not allowed. */
export function waitOf(error: CapstanError, attempt: number, repeatable: boolean): number | null {
  if (!mayRepeat(error, repeatable)) return null;
  const { retry_after_ms } = error;
  if (retry_after_ms !== null && retry_after_ms > MOST_ASKED_WAIT_MS) return null;
  const longestMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, MOST_WAIT_MS);
  return (retry_after_ms ?? longestMs / 2) + (Math.random() * longestMs) / 2;
}

function mayRepeat({ kind, code, reason, status }: CapstanError, repeatable: boolean): boolean {
  // Refused at the door: nothing was done, whatever the method.
  if (kind === 'rate_limited') return true;
  if (!repeatable) return false;
  // The first attempt is still running, and its response will be used.
  if (code === 'http.idempotency_conflict' && reason === 'in_flight') return true;
  return kind === 'network' || [408, 502, 503, 504].includes(status);
}
