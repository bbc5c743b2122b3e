import type { FetchLike } from '@modelcontextprotocol/client';
import { coreProblem } from '#core/errors.ts';
import { isTransportFailure } from '#core/outbound/failure.ts';
import type { OutboundFetch, OutboundInit } from '#core/outbound/outbound.ts';
import type { Problem } from '#core/problem/problem.ts';

/** The fetch for external authorization servers: guarded, with limits on time, size, requests and redirects. */

const TIMEOUT_MS = 10_000;
/** For all requests together. */
const DEADLINE_MS = 40_000;
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;
/** A whole authorization needs about eight requests. */
const MAX_REQUESTS = 20;

export interface OAuthFetch {
  fetch: FetchLike;
  /** Status of the last response; null without one. */
  status(): number | null;
}

/** An endpoint refused, by the rules of OAuth or otherwise. The server's own texts are not kept. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  /** The OAuth error code, such as `invalid_grant`; '' without one. */
  readonly error: string;

  constructor(status: number, error: string) {
    super(`the endpoint answered ${status} ${error}`);
    this.status = status;
    this.error = error;
  }
}

const PASSING = new Set(['temporarily_unavailable', 'server_error', 'slow_down', 'too_many_requests']);

/** True for a refusal that may not repeat. */
export const isPassingRefusal = ({ status, error }: Refused): boolean =>
  PASSING.has(error) || status >= 500 || status === 429;

export const isPassing = (error: unknown): boolean =>
  error instanceof Refused ? isPassingRefusal(error) : isTransportFailure(error);

/**
 * Failures are Problems `outbound.*`. A refused POST throws `Refused`, so that the client does not start over on its
 * own.
 */
export function oauthFetch(fetch: OutboundFetch, signal: AbortSignal | null = null): OAuthFetch {
  let status: number | null = null;
  let left = MAX_REQUESTS;
  const endMs = performance.now() + DEADLINE_MS;
  const ask = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    status = null;
    if (left-- === 0) throw elsewhere('once too often');
    const isRead = (init.method ?? 'GET').toUpperCase() === 'GET';
    const answer = await fetch(url, {
      method: init.method,
      headers: [...new Headers(init.headers)],
      body: bodyOf(init.body),
      signal,
      timeout_ms: Math.max(1, Math.min(TIMEOUT_MS, endMs - performance.now())),
      max_bytes: MAX_BYTES,
      // A request with a code, token or secret is not redirected.
      max_redirects: isRead ? MAX_REDIRECTS : 0,
    });
    status = answer.status;
    if (new URL(answer.url).origin !== new URL(url).origin) {
      await answer.body?.cancel();
      throw elsewhere('to another origin, which is not followed');
    }
    return isRead ? answer : accepted(answer);
  };
  return { fetch: ask as FetchLike, status: () => status };
}

async function accepted(answer: Response): Promise<Response> {
  const { status } = answer;
  const text = await answer.text();
  const error = errorIn(text);
  if (status >= 400 || error !== '') throw new Refused(status, error);
  return new Response(status === 204 ? null : text, { status, headers: answer.headers });
}

/** Some servers return errors with status 200. */
function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' && /^[\x21-\x7e]{1,64}$/.test(error) ? error : '';
  } catch {
    return '';
  }
}

const bodyOf = (body: unknown): OutboundInit['body'] =>
  body === undefined || body === null ? null : body instanceof URLSearchParams ? body : String(body);

const elsewhere = (why: string): Problem =>
  coreProblem('outbound.failed', `The server sent a redirect ${why}.`, { reason: 'redirect' });
