import type { PackageFacts, RunnableReason } from '#catalog/items/runnable.ts';
import { retryAfter } from '#catalog/sync/retry.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import { type McpLimits, withMcpSession } from '#core/mcp/session.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import { leftOutText, type ToolListing } from '#core/mcp/tool-listing.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isNestedTooDeep } from '#core/text/keepable.ts';
import { type StoredTools, storedTools } from './stored-tools.ts';

/** One probe of a server: initialize and `tools/list`. No tool is called. */

export interface ProbeResult {
  /** Null if the server was not probed. */
  reason: RunnableReason | null;
  detail: string;
  /** This and the next two are set only for `ok`. */
  protocol_version: string | null;
  server: { name: string; version: string } | null;
  tools: StoredTools | null;
  /** How long the host asked us to wait; 0 if it did not say how long, null if it did not ask. */
  retry_after_ms: number | null;
  /** Null for servers at an address. */
  package: PackageFacts | null;
}

export interface ProbeRequestDeps {
  fetch: OutboundFetch;
  clock: Clock;
  user_agent: string;
  /** Limits of one probe, without robots.txt. */
  limits?: McpLimits;
}

/** Few servers need a tenth of these. */
const LIMITS: McpLimits = { timeout_ms: 15_000, max_bytes: 2 * 1024 * 1024 };

export const resultOf = (
  reason: ProbeResult['reason'],
  detail: string,
  retry_after_ms: number | null = null,
): ProbeResult => ({
  reason,
  detail,
  retry_after_ms,
  protocol_version: null,
  server: null,
  tools: null,
  package: null,
});

/** Throws the signal's reason if it is aborted. */
export async function probeServer(
  deps: ProbeRequestDeps,
  target: RemoteTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const stop = new AbortController();
  let waitMs = 0;
  const fetch = politeFetch(deps, stop.signal, (askedMs) => {
    waitMs = askedMs;
    stop.abort(new Error('asked to wait'));
  });
  const headers = { ...target.headers, 'user-agent': deps.user_agent };
  try {
    const ends = AbortSignal.any([signal, stop.signal]);
    const answer = await withMcpSession(fetch, { ...target, headers }, deps.limits ?? LIMITS, ends, async (session) => {
      const listing = await session.listTools();
      return { listing, protocol_version: session.protocol_version, server: session.server };
    });
    return answer.ok ? await successOf(answer.value, 'server') : failureOf(answer.failure);
  } catch (error) {
    if (signal.aborted || !stop.signal.aborted) throw error;
    return resultOf('unreachable', 'The server asked to be probed later.', waitMs);
  }
}

/** Sends no further request to a host that asks us to wait, and follows no redirect to another origin, whose robots.txt is unread. */
const politeFetch =
  ({ fetch, clock }: ProbeRequestDeps, stopped: AbortSignal, stop: (waitMs: number) => void): OutboundFetch =>
  async (url, init = {}) => {
    stopped.throwIfAborted();
    const answer = await fetch(url, { ...init, same_origin: true });
    const waitMs = requestedWait(answer, clock.now());
    if (waitMs === null) return answer;
    await answer.body?.cancel().catch(() => {});
    stop(waitMs);
    throw stopped.reason;
  };

/** Milliseconds to wait after a `429`, or a `503` with `Retry-After`; null for other responses. */
export function requestedWait({ status, headers }: Response, now_ms: number): number | null {
  const waitMs = status === 429 || status === 503 ? retryAfter(headers.get('retry-after'), now_ms) : null;
  return waitMs ?? (status === 429 ? 0 : null);
}

type Whole = Pick<ProbeResult, 'protocol_version' | 'server'> & { listing: ToolListing };

export async function successOf(
  { listing, protocol_version, server }: Whole,
  what: 'server' | 'package',
): Promise<ProbeResult> {
  const { tools, left_out } = listing;
  if (isNestedTooDeep(tools)) return resultOf('unsupported', 'The schemas of its tools are nested too deeply.');
  const kept = await storedTools(tools);
  const count = `${kept.count} tool${kept.count === 1 ? '' : 's'}`;
  const detail =
    what === 'server' ? `The server responded with ${count}.` : `Its package was started here and listed ${count}.`;
  const leftOut = left_out.count === 0 ? '' : ` ${sentence(leftOutText(left_out))}`;
  return { ...resultOf('ok', `${detail}${leftOut}`), protocol_version, server, tools: kept };
}

const REASONS: Record<McpFailure['reason'], RunnableReason> = {
  auth_needed: 'auth_needed',
  not_mcp: 'not_mcp',
  unreachable: 'unreachable',
  timed_out: 'unreachable',
  broken: 'unreachable',
  too_large: 'unsupported',
  refused: 'unsupported',
  input_required: 'unsupported',
  start_failed: 'unsupported',
  out_of_memory: 'unsupported',
  wants_network: 'unsupported',
  wants_display: 'unsupported',
};

const failureOf = ({ reason, detail }: McpFailure): ProbeResult => resultOf(REASONS[reason], sentence(detail));

/** Turns a failure's message into one sentence that both databases accept. */
export function sentence(detail: string): string {
  const plain = detail.replaceAll('\0', '').toWellFormed().slice(0, 500);
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1).replace(/\.$/, '')}.`;
}
