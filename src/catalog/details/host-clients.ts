import { LRUCache } from 'lru-cache';
import { createPace, type Pace } from '#catalog/sync/pace.ts';
import type { Get } from '#catalog/sync/provider.ts';
import { politeGet, userAgent } from '#catalog/sync/provider-client.ts';
import { politeRetries, type RetryPolicy } from '#catalog/sync/retry.ts';
import type { SyncConfig } from '#catalog/sync/sync-plan.ts';
import type { Clock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';

/** Rate-limited clients for hosts of repositories. They are shared by all providers, whose listings name the same hosts. */

/** `other`: whichever host the record of a listing names. */
export type RawHost = 'github' | 'gitlab' | 'other';

const TITLES: Record<RawHost, string> = { github: 'GitHub', gitlab: 'GitLab', other: 'The host of the document' };
/** None of them publishes a limit for raw files. */
const PACE = { concurrency: 2, interval_ms: 500, timeout_ms: 15_000, max_bytes: 1_048_576 };

/** Hosts that records name and whose clients are kept. Publishers can name any number of them. */
export const MOST_OTHER_HOSTS = 256;

/** Archives of whole repositories. */
const ARCHIVES = { concurrency: 2, interval_ms: 1_000 };
const ICONS = { concurrency: 4, interval_ms: 0 };

export interface HostClients {
  get(host: RawHost, signal: AbortSignal): Get;
  archives: Pace;
  /** Of all hosts together. */
  icons: Pace;
}

interface HostDeps {
  fetch: OutboundFetch;
  clock: Clock;
  config: Pick<SyncConfig, 'version' | 'public_url' | 'details'>;
  retry?: RetryPolicy;
}

export function createHostClients({ fetch, clock, config, retry }: HostDeps): HostClients {
  const user_agent = userAgent(config.version, config.public_url);
  const pace = { ...PACE, ...defined({ interval_ms: config.details?.host_interval_ms }) };
  const open = (host: RawHost, policy = retry) =>
    politeGet({ fetch, clock, user_agent, provider: { title: TITLES[host], pace }, ...defined({ retry: policy }) });
  const clients = { github: open('github'), gitlab: open('gitlab') };
  // One for each host, so that a host that fails or asks for a long wait delays no other. Failed requests are not retried at once, because
  // a background round would wait for them: the listing is asked for again later.
  const others = new LRUCache<string, ReturnType<typeof open>>({ max: MOST_OTHER_HOSTS });
  const otherClient = (host: string) => {
    const client = others.get(host) ?? open('other', { ...(retry ?? politeRetries), retries: 0 });
    others.set(host, client);
    return client;
  };
  return {
    get: (host, signal) =>
      host === 'other'
        ? (url, request) => otherClient(new URL(url).hostname)(signal)(url, request)
        : clients[host](signal),
    archives: createPace(ARCHIVES, clock),
    icons: createPace(ICONS, clock),
  };
}
