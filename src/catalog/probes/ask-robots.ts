import { isoTime } from '#core/clock/clock.ts';
import type { ProbeHostRow } from '#core/db/schema-probes.ts';
import { Problem } from '#core/problem/problem.ts';
import { mayAsk, parseRobots, ROBOTS_BYTES, type RobotsRule } from './robots.ts';
import { DAY_MS } from './times.ts';
import { type Seen, seen, sentence, toldToWait, type VisitDeps } from './visit.ts';

/** Leave to visit: what robots.txt of the server's origin says to us, remembered for a day. */

type Remembered = Pick<ProbeHostRow, 'robots' | 'robots_read_at'>;

export interface Leave {
  /** Null: granted. Else what is to be told instead of a visit. */
  instead: Seen | null;
  /** What is to be remembered of it; null where nothing new was read. */
  remember: Remembered | null;
}

const TIMEOUT_MS = 10_000;
/** Of the rules as they are remembered, by origin. */
const MOST_KEPT = 64 * 1024;

/** Throws the signal's reason where it is aborted. */
export async function askRobots(
  deps: VisitDeps,
  address: string,
  remembered: Remembered | undefined,
  signal: AbortSignal,
): Promise<Leave> {
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

function knownRules(remembered: Remembered | undefined, origin: string, now_ms: number): readonly RobotsRule[] | null {
  const { robots = null, robots_read_at = null } = remembered ?? {};
  if (robots === null || robots_read_at === null || Date.parse(robots_read_at) + DAY_MS <= now_ms) return null;
  const kept = JSON.parse(robots) as { origin: string; rules: RobotsRule[] };
  return kept.origin === origin ? kept.rules : null;
}

const forbidden = (rules: readonly RobotsRule[], url: URL): Seen | null =>
  mayAsk(rules, url) ? null : seen(null, 'Its host asks in robots.txt not to be visited, so nobody looked.');

/** As the standard has it: no file is leave, no answer is none. */
async function readRobots(deps: VisitDeps, url: URL, signal: AbortSignal): Promise<readonly RobotsRule[] | Seen> {
  const { fetch, clock, user_agent } = deps;
  try {
    const headers = { 'user-agent': user_agent, accept: 'text/plain, */*;q=0.1' };
    const answer = await fetch(new URL('/robots.txt', url), { headers, signal, timeout_ms: TIMEOUT_MS });
    const wait_ms = toldToWait(answer, clock.now());
    if (answer.status >= 200 && answer.status < 300) return parseRobots(await textOf(answer));
    await answer.body?.cancel().catch(() => {});
    if (wait_ms !== null) return seen('unreachable', 'Its host asked not to be visited so soon.', wait_ms);
    if (answer.status < 500) return [];
    return seen('unreachable', `Its host answered ${answer.status} to a look at robots.txt, so nobody looked further.`);
  } catch (error) {
    if (signal.aborted || !(error instanceof Problem)) throw error;
    return seen('unreachable', sentence(error.message));
  }
}

/** The beginning of it: what comes later is not read. */
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
