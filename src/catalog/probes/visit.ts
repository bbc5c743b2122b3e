import type { RunnableReason } from '#catalog/items/runnable.ts';
import { retryAfter } from '#catalog/sync/retry.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import { type McpLimits, withMcpSession } from '#core/mcp/session.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isNestedTooDeep } from '#core/text/keepable.ts';
import { type KeptTools, keptTools } from './kept-tools.ts';

/** One look at a server: it is greeted, asked for its tools, and left. Nothing is called. */

export interface Seen {
  /** Null: left alone, so not known. */
  reason: RunnableReason | null;
  detail: string;
  /** The next three only where it is `ok`. */
  protocol_version: string | null;
  server: { name: string; version: string } | null;
  tools: KeptTools | null;
  /** It asked us to wait so long; null where it did not, 0 where it did not say how long. */
  retry_after_ms: number | null;
}

export interface VisitDeps {
  fetch: OutboundFetch;
  clock: Clock;
  user_agent: string;
  /** Of one visit, robots.txt aside. */
  limits?: McpLimits;
}

/** Few servers need a tenth of either. */
const LIMITS: McpLimits = { timeout_ms: 15_000, max_bytes: 2 * 1024 * 1024 };

export const seen = (reason: Seen['reason'], detail: string, retry_after_ms: number | null = null): Seen => ({
  reason,
  detail,
  retry_after_ms,
  protocol_version: null,
  server: null,
  tools: null,
});

/** Throws the signal's reason where it is aborted. */
export async function visit(deps: VisitDeps, target: RemoteTarget, signal: AbortSignal): Promise<Seen> {
  const stop = new AbortController();
  let wait_ms = 0;
  const fetch = obedient(deps, stop.signal, (asked_ms) => {
    wait_ms = asked_ms;
    stop.abort(new Error('told to wait'));
  });
  const headers = { ...target.headers, 'user-agent': deps.user_agent };
  try {
    const ends = AbortSignal.any([signal, stop.signal]);
    const answer = await withMcpSession(fetch, { ...target, headers }, deps.limits ?? LIMITS, ends, async (session) => {
      const tools = await session.listTools();
      return { tools, protocol_version: session.protocol_version, server: session.server };
    });
    return answer.ok ? seenWhole(answer.value) : seenFailure(answer.failure);
  } catch (error) {
    if (signal.aborted || !stop.signal.aborted) throw error;
    return seen('unreachable', 'The server asked not to be visited so soon.', wait_ms);
  }
}

/** Asks nothing more of a host that wants us to wait, and follows it nowhere else: we have leave for this one only. */
const obedient =
  ({ fetch, clock }: VisitDeps, stopped: AbortSignal, stop: (wait_ms: number) => void): OutboundFetch =>
  async (url, init = {}) => {
    stopped.throwIfAborted();
    const answer = await fetch(url, { ...init, same_origin: true });
    const wait_ms = toldToWait(answer, clock.now());
    if (wait_ms === null) return answer;
    await answer.body?.cancel().catch(() => {});
    stop(wait_ms);
    throw stopped.reason;
  };

/** By `429`, or by `503` with a time. */
export function toldToWait({ status, headers }: Response, now_ms: number): number | null {
  const wait_ms = status === 429 || status === 503 ? retryAfter(headers.get('retry-after'), now_ms) : null;
  return wait_ms ?? (status === 429 ? 0 : null);
}

type Whole = Pick<Seen, 'protocol_version' | 'server'> & { tools: Parameters<typeof keptTools>[0] };

function seenWhole({ tools, protocol_version, server }: Whole): Seen {
  if (isNestedTooDeep(tools)) return seen('unsupported', 'The schemas of its tools are nested too deep.');
  const kept = keptTools(tools);
  const said = `It answered and showed ${kept.count} tool${kept.count === 1 ? '' : 's'}.`;
  return { ...seen('ok', said), protocol_version, server, tools: kept };
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
};

const seenFailure = ({ reason, detail }: McpFailure): Seen => seen(REASONS[reason], sentence(detail));

/** Of a failure's words: one sentence that both databases take. */
export const sentence = (detail: string): string => {
  const plain = detail.replaceAll('\0', '').toWellFormed().slice(0, 500);
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1).replace(/\.$/, '')}.`;
};
