import { checkUrl, type Guard } from './address.ts';
import { type BodyListener, cappedBody, tooLarge } from './body.ts';
import { guardedConnector, type Resolve } from './connect.ts';
import { failureOf, timedOut } from './failure.ts';
import { type Hop, isRedirect, nextHop, refused } from './redirect.ts';
import { systemResolve } from './system-resolve.ts';
import { Agent, Headers, Response, undiciFetch } from './undici.ts';

/** The only client for requests to untrusted addresses. */

interface OutboundOptions extends Guard {
  /** Sent if the request has none. */
  user_agent: string;
  /** For the whole request, including redirects and body; default 30 s. */
  timeout_ms?: number;
  /** Of the decoded body; default 10 MiB. */
  max_bytes?: number;
  max_redirects?: number;
  resolve?: Resolve;
}

export interface OutboundInit {
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  body?: string | Uint8Array | URLSearchParams | null | undefined;
  signal?: AbortSignal | null | undefined;
  /** `Infinity` for streams that stay open. */
  timeout_ms?: number | undefined;
  max_bytes?: number | undefined;
  /** 0 refuses every redirect. */
  max_redirects?: number | undefined;
  /** Refuses redirects to other origins, for callers that have permission for one host only. */
  same_origin?: boolean | undefined;
  /** Makes the listener of the body, which hears of nothing if there is none. */
  on_body?: ((response: Pick<Response, 'status' | 'headers'>) => BodyListener) | undefined;
}

/** Like fetch. Failures are Problems `outbound.*`; an abort by the caller's signal throws the signal's reason. */
export type OutboundFetch = (url: string | URL, init?: OutboundInit) => Promise<Response>;

export interface Outbound {
  fetch: OutboundFetch;
  close(): Promise<void>;
}

const MAX_REDIRECTS = 5;

export function createOutbound(options: OutboundOptions): Outbound {
  const agent = new Agent({
    connect: guardedConnector(options, options.resolve ?? systemResolve),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
  });
  return {
    fetch: (url, init = {}) => request(agent, options, url, init),
    close: () => agent.destroy(),
  };
}

async function request(agent: Agent, options: OutboundOptions, url: string | URL, init: OutboundInit) {
  let hop = firstHop(options, url, init);
  const deadline = startDeadline(init.timeout_ms ?? options.timeout_ms ?? 30_000, init.signal);
  const explain = (error: unknown): unknown => {
    if (init.signal?.aborted) return init.signal.reason;
    return deadline.passed() ? timedOut(hop.url) : failureOf(error, hop.url);
  };
  try {
    for (let redirects = 0; ; redirects++) {
      checkUrl(options, hop.url);
      const response = await send(agent, hop, deadline.signal);
      if (!isRedirect(response)) {
        return await guarded(response, hop.url, {
          max_bytes: init.max_bytes ?? options.max_bytes ?? 10 * 1024 * 1024,
          done: deadline.stop,
          explain,
          on_body: init.on_body,
        });
      }
      await response.body?.cancel();
      if (redirects >= (init.max_redirects ?? options.max_redirects ?? MAX_REDIRECTS)) throw refused('too many times');
      const next = nextHop(hop, response.status, response.headers.get('location') ?? '');
      if (init.same_origin === true && next.url.origin !== hop.url.origin) throw refused('to another origin');
      hop = next;
    }
  } catch (error) {
    const shown = explain(error);
    deadline.end();
    throw shown;
  }
}

function firstHop(options: OutboundOptions, url: string | URL, init: OutboundInit): Hop {
  const parsed = URL.parse(String(url));
  if (!parsed) throw failureOf(new Error('invalid URL'), new URL('invalid:'));
  const headers = new Headers(init.headers);
  if (!headers.has('user-agent')) headers.set('user-agent', options.user_agent);
  return { url: parsed, method: (init.method ?? 'GET').toUpperCase(), headers, body: init.body ?? null };
}

const send = (agent: Agent, hop: Hop, signal: AbortSignal) =>
  undiciFetch(hop.url, {
    method: hop.method,
    headers: [...hop.headers],
    body: hop.body,
    redirect: 'manual',
    signal,
    dispatcher: agent,
  });

/**
 * Returns the response with a size limit on its body. Removes length and encoding headers, which describe the bytes
 * before decoding.
 */
async function guarded(
  response: Awaited<ReturnType<typeof send>>,
  url: URL,
  { on_body, ...limits }: Parameters<typeof cappedBody>[1] & Pick<OutboundInit, 'on_body'>,
): Promise<Response> {
  checkPacking(response, limits.max_bytes);
  const headers = new Headers([...response.headers]);
  headers.delete('content-length');
  headers.delete('content-encoding');
  const bodiless = response.body === null || [101, 204, 205, 304].includes(response.status);
  if (bodiless) limits.done();
  else if (Number(response.headers.get('content-length')) > limits.max_bytes) {
    await response.body?.cancel();
    throw tooLarge(limits.max_bytes);
  }
  const heard = () => Object.assign(limits, { listener: on_body?.(response) });
  const body = bodiless ? null : cappedBody(response.body as ReadableStream<Uint8Array>, heard());
  const answer = new Response(body, { status: response.status, statusText: response.statusText, headers });
  return Object.defineProperty(answer, 'url', { value: url.href });
}

/** A response compressed twice can keep a thread busy for seconds with bytes that the limit never sees. */
function checkPacking({ headers }: Awaited<ReturnType<typeof send>>, maxBytes: number): void {
  if (headers.get('content-encoding')?.includes(',')) throw tooLarge(maxBytes);
}

function startDeadline(timeoutMs: number, caller: AbortSignal | null | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(caller?.reason);
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { once: true });
  let passed = false;
  const expire = () => {
    passed = true;
    controller.abort(new Error('timed out'));
  };
  const timer = Number.isFinite(timeoutMs) ? setTimeout(expire, timeoutMs) : undefined;
  const stop = () => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  };
  return {
    signal: controller.signal,
    passed: () => passed,
    stop,
    /** Also releases a connection that an unread response may still hold. */
    end: () => {
      stop();
      controller.abort();
    },
  };
}
