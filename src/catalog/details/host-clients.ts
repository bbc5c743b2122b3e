import { LRUCache } from 'lru-cache';
import { createPace, type Pace } from '#catalog/sync/pace.ts';
import type { Answer, Get } from '#catalog/sync/provider.ts';
import { politeGet, userAgent } from '#catalog/sync/provider-client.ts';
import { politeRetries, type RetryPolicy } from '#catalog/sync/retry.ts';
import type { SyncConfig } from '#catalog/sync/sync-plan.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';
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

const SHARED_MS = 5 * 60_000;
const MOST_SHARED_CHARACTERS = 8_388_608;

type Shared = Answer | { refused: unknown };

/**
 * Repositories have many listings, which look for the same files one after another: each file is requested once in five minutes. Requests
 * whether a stored text has changed are made in any case.
 */
function shared(client: (signal: AbortSignal) => Get, clock: Clock): (signal: AbortSignal) => Get {
  const known = new LRUCache<string, { result: Shared; until_ms: number }>({
    maxSize: MOST_SHARED_CHARACTERS,
    sizeCalculation: ({ result }) => 500 + ('text' in result ? result.text.length : 0),
  });
  return (signal) => async (url, request) => {
    const isConditional = Object.keys(request?.validators ?? {}).length > 0;
    const found = known.get(url);
    if (!isConditional && found !== undefined && found.until_ms > clock.now()) return answerOf(found.result);
    const result = await resultOf(client(signal)(url, request));
    if ('refused' in result || result.status === 200) known.set(url, { result, until_ms: clock.now() + SHARED_MS });
    return answerOf(result);
  };
}

/** Only that a file is missing is a result. Throws other failures. */
const resultOf = (asking: Promise<Answer>): Promise<Shared> =>
  asking.catch((error: unknown) => {
    if (upstreamStatus(error) !== 404) throw error;
    return { refused: error };
  });

function answerOf(result: Shared): Answer {
  if ('refused' in result) throw result.refused;
  return result;
}

export function createHostClients({ fetch, clock, config, retry }: HostDeps): HostClients {
  const user_agent = userAgent(config.version, config.public_url);
  const pace = { ...PACE, ...defined({ interval_ms: config.details?.host_interval_ms }) };
  const open = (host: RawHost, policy = retry) =>
    politeGet({ fetch, clock, user_agent, provider: { title: TITLES[host], pace }, ...defined({ retry: policy }) });
  const clients = { github: shared(open('github'), clock), gitlab: shared(open('gitlab'), clock) };
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
