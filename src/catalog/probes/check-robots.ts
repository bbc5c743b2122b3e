import { isoTime } from '#core/clock/clock.ts';
import type { ProbeHostRow } from '#core/db/schema-probes.ts';
import { Problem } from '#core/problem/problem.ts';
import { type ProbeRequestDeps, type ProbeResult, requestedWait, resultOf, sentence } from './probe.ts';
import { mayAsk, parseRobots, ROBOTS_BYTES, type RobotsRule } from './robots.ts';
import { DAY_MS } from './schedule.ts';

/** Whether robots.txt of the server's origin allows a probe. The rules are cached for a day. */

type Remembered = Pick<ProbeHostRow, 'robots' | 'robots_read_at'>;

export interface RobotsAnswer {
  /** Null if allowed; otherwise the result to save instead of a probe. */
  instead: ProbeResult | null;
  /** Rules to cache; null if nothing new was read. */
  remember: Remembered | null;
}

const TIMEOUT_MS = 10_000;
/** Maximum size of cached rules as JSON. */
const MOST_KEPT = 64 * 1024;

/** Throws the signal's reason if it is aborted. */
export async function checkRobots(
  deps: ProbeRequestDeps,
  address: string,
  remembered: Remembered | undefined,
  signal: AbortSignal,
): Promise<RobotsAnswer> {
  const url = new URL(address);
  const known = knownRules(remembered, url.origin, deps.clock.now());
  if (known !== null) return { instead: forbidden(known, url), remember: null };
  const read = await readRobots(deps, url, signal);
  if ('reason' in read) return { instead: read, remember: null };
  const robots = JSON.stringify({ origin: url.origin, rules: read });
  const robots_read_at = isoTime(deps.clock.now());
  const remember = robots.length > MOST_KEPT ? null : { robots, robots_read_at };
  return { instead: forbidden(read, url), remember };
}

function knownRules(remembered: Remembered | undefined, origin: string, nowMs: number): readonly RobotsRule[] | null {
  const { robots = null, robots_read_at = null } = remembered ?? {};
  if (robots === null || robots_read_at === null || Date.parse(robots_read_at) + DAY_MS <= nowMs) return null;
  const kept = JSON.parse(robots) as { origin: string; rules: RobotsRule[] };
  return kept.origin === origin ? kept.rules : null;
}

const forbidden = (rules: readonly RobotsRule[], url: URL): ProbeResult | null =>
  mayAsk(rules, url) ? null : resultOf(null, 'robots.txt of its host disallows probes.');

/** RFC 9309: a missing file allows everything; a server error or no response allows nothing. */
async function readRobots(
  deps: ProbeRequestDeps,
  url: URL,
  signal: AbortSignal,
): Promise<readonly RobotsRule[] | ProbeResult> {
  const { fetch, clock, user_agent } = deps;
  try {
    const headers = { 'user-agent': user_agent, accept: 'text/plain, */*;q=0.1' };
    const answer = await fetch(new URL('/robots.txt', url), { headers, signal, timeout_ms: TIMEOUT_MS });
    const waitMs = requestedWait(answer, clock.now());
    if (answer.status >= 200 && answer.status < 300) return parseRobots(await textOf(answer));
    await answer.body?.cancel().catch(() => {});
    if (waitMs !== null) return resultOf('unreachable', 'Its host asked to be probed later.', waitMs);
    if (answer.status < 500) return [];
    return resultOf(
      'unreachable',
      `Its host answered HTTP ${answer.status} for robots.txt, so the server was not probed.`,
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof Problem)) throw error;
    return resultOf('unreachable', sentence(error.message));
  }
}

/** Reads at most `ROBOTS_BYTES`. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = ROBOTS_BYTES;
  for await (const chunk of body ?? []) {
    text += decoder.decode((chunk as Uint8Array).subarray(0, left), { stream: true });
    left -= (chunk as Uint8Array).byteLength;
    if (left <= 0) break;
  }
  return text;
}
