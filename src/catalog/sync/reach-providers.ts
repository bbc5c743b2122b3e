import type { ProviderId } from '#catalog/items/kinds.ts';
import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import type { TimeTold } from '#core/clock/clock-check.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import type { SyncConfig } from './sync-plan.ts';

/** Sends one short request to each provider through the egress guard, to find out whether it is reachable. */
export interface Reached {
  id: ProviderId;
  title: string;
  host: string;
  /** Null if it responded in any way. */
  problem: Problem | null;
  /** Time of its `Date` header, if any. */
  told: TimeTold | null;
}

const TIMEOUT_MS = 4_000;

interface ReachOptions extends Pick<SyncConfig, 'providers' | 'urls'> {
  fetch: OutboundFetch;
}

export const reachProviders = ({ providers, urls, fetch }: ReachOptions, signal: AbortSignal): Promise<Reached[]> =>
  Promise.all(
    ALL_PROVIDERS.filter(({ id }) => providers.includes(id)).map(async ({ id, title, base_url }) => {
      const url = urls[id] ?? base_url;
      const { host } = new URL(url);
      return { id, title, host, ...(await reach(url, host, fetch, signal)) };
    }),
  );

async function reach(
  url: string,
  host: string,
  fetch: OutboundFetch,
  signal: AbortSignal,
): Promise<Pick<Reached, 'problem' | 'told'>> {
  const askedMs = Date.now();
  try {
    const answer = await fetch(url, { signal, timeout_ms: TIMEOUT_MS });
    const told_ms = Date.parse(answer.headers.get('date') ?? '');
    const here_ms = (askedMs + Date.now()) / 2;
    await answer.body?.cancel();
    return { problem: null, told: Number.isNaN(told_ms) ? null : { by: host, told_ms, here_ms } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: isProblem(error, 'outbound.failed', ...ANSWERED) ? null : error, told: null };
  }
}

/** Failures after the host was reached. */
const ANSWERED = ['redirect', 'too_large'];
