import { defined } from '#core/defined.ts';
import type { Held, HeldService } from './service.ts';

/** A request that grows, and whether what it costs grows too fast. */

export interface Case {
  name: string;
  /** Characters of the largest one. */
  most: number;
  request(size: number): Asked;
  /** Requests that are sent together; one where left out. */
  at_once?: number;
  /** The status of what comes as far as it is meant to; another is a fault, because it measures nothing. */
  expects?: number;
}

interface Asked {
  method: string;
  /** Path and query. */
  target: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Verdict {
  name: string;
  /** Of the largest size. */
  held: Held;
  sizes: { size: number; held_ms: number }[];
  status: number;
  /** What is wrong; null where it holds. */
  fault: string | null;
}

/** Processor time that no request may hold the event loop for. */
const MOST_HELD_MS = 50;
/** Below this, growth is noise. */
const LEAST_GROWING_MS = 12;
/** Below this the largest size is not looked at further. */
const QUIET_MS = 8;
const TRIES = 3;
const DOUBLINGS = 3;
/** Of time by size over three doublings: 8 where it is linear, 64 where it is quadratic. */
const MOST_GROWTH = 24;
const ANSWER_MS = 120_000;

/** Sends it and reads the answer; answers the status, 0 where the connection ended. */
export async function send(url: string, { method, target, headers = {}, body }: Asked): Promise<number> {
  try {
    const response = await fetch(`${url}${target}`, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
      ...defined({ body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Measures the largest first. Where that is suspicious, it is measured alone again, and smaller ones beside it. */
export async function judge(service: HeldService, tried: Case): Promise<Verdict> {
  let status = 0;
  const measure = (size: number): Promise<Held> =>
    service.measure(async () => {
      const statuses = Array.from({ length: tried.at_once ?? 1 }, () => send(service.url, tried.request(size)));
      for (const each of await Promise.all(statuses)) status = each;
    });
  let held = await measure(tried.most);
  const statusOfLargest = status;
  const verdict = (sizes: Verdict['sizes'], fault: string | null): Verdict => ({
    name: tried.name,
    held,
    sizes,
    status: statusOfLargest,
    fault,
  });
  if (tried.expects !== undefined && statusOfLargest !== tried.expects)
    return verdict([], `was answered with ${statusOfLargest}`);
  if (held.worst_ms <= QUIET_MS) return verdict([], null);
  // The first request of its kind may load what later ones have.
  for (let tries = 0; tries < TRIES && held.worst_ms > LEAST_GROWING_MS; tries++)
    held = least(held, await measure(tried.most));
  const sizes: Verdict['sizes'] = [{ size: tried.most, held_ms: held.worst_ms }];
  if (held.worst_ms > LEAST_GROWING_MS) {
    const small = Math.ceil(tried.most / 2 ** DOUBLINGS);
    let before = await measure(small);
    for (let tries = 1; tries < TRIES; tries++) before = least(before, await measure(small));
    sizes.unshift({ size: small, held_ms: before.worst_ms });
    if (held.worst_ms / Math.max(before.worst_ms, 1) > MOST_GROWTH) return verdict(sizes, 'grows faster than n log n');
  }
  return verdict(sizes, held.worst_ms > MOST_HELD_MS ? `holds the loop over ${MOST_HELD_MS} ms` : null);
}

const least = (a: Held, b: Held): Held => ({
  worst_ms: Math.min(a.worst_ms, b.worst_ms),
  total_ms: Math.min(a.total_ms, b.total_ms),
  rss_mb: Math.max(a.rss_mb, b.rss_mb),
});
