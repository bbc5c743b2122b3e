import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { catalogProblem } from '#catalog/errors.ts';
import { type Clock, systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Problem, ProblemOptions } from '#core/problem/problem.ts';
import { createPace, type Pace } from './pace.ts';
import type { Answer, Get, Provider, Validators } from './provider.ts';
import { isTemporary, politeRetries, type RetryPolicy, retryAfter, withRetries } from './retry.ts';

/** The HTTP client for a provider: rate limit, timeout, retries, circuit breaker and User-Agent. */

interface GetOptions {
  fetch: OutboundFetch;
  provider: Pick<Provider, 'title' | 'pace'>;
  user_agent: string;
  clock?: Clock;
  retry?: RetryPolicy;
}

const FAILURES_TO_BREAK = 6;
const BROKEN_FOR_MS = 30_000;

interface ClientState {
  options: GetOptions;
  clock: Clock;
  pace: Pace;
  breaker: CircuitBreakerPolicy;
}

/** Names the program and its operator's address. */
export const userAgent = (version: string, public_url: string): string => `Capstan/${version} (+${public_url})`;

/** One per provider and process. The rate limit and the breaker outlive the run that `signal` ends. */
export function politeGet(options: GetOptions): (signal: AbortSignal) => Get {
  const clock = options.clock ?? systemClock;
  const breaker = circuitBreaker(handleWhen(isTemporary), {
    breaker: new ConsecutiveBreaker(FAILURES_TO_BREAK),
    halfOpenAfter: BROKEN_FOR_MS,
  });
  const state: ClientState = { options, clock, breaker, pace: createPace(options.provider.pace, clock) };
  return (signal) => (url, request) =>
    withRetries(options.retry ?? politeRetries, signal, () =>
      breaker
        .execute(() => state.pace.run(signal, () => send(state, signal, url, request ?? {})))
        .catch(explainBreak(state)),
    );
}

async function send(
  state: ClientState,
  signal: AbortSignal,
  url: string,
  request: Parameters<Get>[1] & {},
): Promise<Answer> {
  const { fetch, provider, user_agent } = state.options;
  const { timeout_ms } = provider.pace;
  const max_bytes = request.max_bytes ?? provider.pace.max_bytes;
  const headers = requestHeaders(user_agent, request);
  const response = await fetch(url, { headers, signal, timeout_ms, max_bytes });
  const media_type = response.headers.get('content-type') ?? '';
  if (response.status === 304)
    return { status: 304, text: '', media_type, validators: validatorsOf(response, request.validators) };
  if (response.status !== 200) throw await refusal(state, response);
  const text = await response.text();
  if (wantsJson(headers) && isHtml(response, text)) throw htmlInstead(provider.title);
  return { status: 200, text, media_type, validators: validatorsOf(response) };
}

const requestHeaders = (agent: string, { accept, validators, bearer }: Parameters<Get>[1] & {}) => ({
  accept: accept ?? 'application/json',
  'user-agent': agent,
  ...defined({
    authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
    'if-none-match': validators?.etag === undefined ? undefined : validators.etag,
    'if-modified-since': validators?.last_modified === undefined ? undefined : validators.last_modified,
  }),
});

/** A 304 may omit its validators; the ones that were sent are then still valid. */
function validatorsOf(response: Response, sent: Validators = {}): Validators {
  const etag = response.headers.get('etag') ?? sent.etag;
  const last_modified = response.headers.get('last-modified') ?? sent.last_modified;
  return { ...defined({ etag, last_modified }) };
}

const wantsJson = (headers: { accept: string }): boolean => headers.accept.includes('json');

const isHtml = (response: Response, text: string): boolean =>
  /^\s*</.test(text) || (response.headers.get('content-type')?.startsWith('text/html') ?? false);

async function refusal({ options: { provider }, clock, pace }: ClientState, response: Response): Promise<Problem> {
  const { status } = response;
  const { title } = provider;
  await response.body?.cancel().catch(() => {});
  const waitMs = retryAfter(response.headers.get('retry-after'), clock.now());
  if (waitMs !== null) pace.holdUntil(clock.now() + Math.min(waitMs, politeRetries.max_wait_ms));
  const options = { extensions: { upstream_status: status, ...defined({ retry_after_ms: waitMs ?? undefined }) } };
  if (status === 401 || status === 403) return refused(title, status, options);
  return status === 429 ? rateLimited(title, options) : failed(title, status, options);
}

const refused = (title: string, status: number, options: Omit<ProblemOptions, 'reason'>): Problem =>
  catalogProblem(
    'registry.provider_failed',
    `${title} refused the request (HTTP ${status}). The API key is missing, invalid or expired, or the provider blocks this address.`,
    { reason: 'forbidden', ...options },
  );

const rateLimited = (title: string, options: Omit<ProblemOptions, 'reason'>): Problem =>
  catalogProblem(
    'registry.provider_failed',
    `${title} rate-limited the sync. The next sync waits; consider a longer CAPSTAN_SYNC_INTERVAL.`,
    { reason: 'rate_limited', ...options },
  );

const failed = (title: string, status: number, options: Omit<ProblemOptions, 'reason'>): Problem =>
  catalogProblem(
    'registry.provider_failed',
    `${title} answered HTTP ${status}. Saved listings are kept; the next sync retries.`,
    { reason: 'unavailable', ...options },
  );

const htmlInstead = (title: string): Problem =>
  catalogProblem(
    'registry.provider_failed',
    `${title} answered with HTML instead of JSON. Saved listings are kept; the next sync retries.`,
    { reason: 'format' },
  );

const explainBreak =
  ({ options }: ClientState) =>
  (error: unknown): never => {
    if (!(error instanceof BrokenCircuitError)) throw error;
    const detail = `${options.provider.title} failed ${FAILURES_TO_BREAK} times in a row. Requests are paused for 30 s.`;
    throw catalogProblem('registry.provider_failed', detail, { reason: 'paused', cause: error });
  };
