import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { Problem } from '#core/problem/problem.ts';
import { PROVIDER_DOORS } from './providers.ts';
import type { ProviderId } from './settings.ts';

/** Lists the models of a provider live, cached for a short time. */

/** How to reach a provider. */
interface Reached {
  key: string | null;
  url: string | null;
}

/** Names, or why they are unknown; `names` is null if the provider has no list. */
export type Live = { names: ReadonlySet<string> | null } | { reason: string };

const KEPT_MS = 60_000;
const TIMEOUT_MS = 4_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MOST_PAGES = 5;

interface Wire {
  path: string;
  headers(key: string | null): Record<string, string>;
  /** Returns the names of one page and the token for the next. */
  read(body: unknown): { names: string[]; next: string | null };
}

const openai: Wire = {
  path: '/models',
  headers: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  read: (body) => ({ names: idsOf(body, 'data', 'id'), next: null }),
};

const WIRES: Record<ProviderId, Wire> = {
  openai,
  compatible: openai,
  anthropic: {
    path: '/models?limit=1000',
    headers: (key) => ({ 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }),
    read: (body) => {
      const { has_more, last_id } = body as { has_more?: unknown; last_id?: unknown };
      return {
        names: idsOf(body, 'data', 'id'),
        next: has_more === true ? `&after_id=${encodeURIComponent(`${last_id}`)}` : null,
      };
    },
  },
  google: {
    path: '/models?pageSize=1000',
    headers: (key) => ({ 'x-goog-api-key': key ?? '' }),
    read: (body) => {
      const { nextPageToken: next } = body as { nextPageToken?: unknown };
      const names = idsOf(body, 'models', 'name').map((id) => id.replace(/^models\//, ''));
      return { names, next: typeof next === 'string' && next !== '' ? `&pageToken=${encodeURIComponent(next)}` : null };
    },
  },
};

export function liveModels(operator: OperatorFetch, providers: Record<ProviderId, Reached>) {
  const kept = new Map<ProviderId, { at: number; live: Promise<Live> }>();
  return (provider: ProviderId): Promise<Live> => {
    const known = kept.get(provider);
    if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.live;
    const live = ask(operator, provider, providers[provider]);
    kept.set(provider, { at: performance.now(), live });
    return live;
  };
}

async function ask(operator: OperatorFetch, provider: ProviderId, { key, url }: Reached): Promise<Live> {
  const { title, base_url } = PROVIDER_DOORS[provider];
  const { path, headers, read } = WIRES[provider];
  const names = new Set<string>();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    let more = '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const to = `${url ?? base_url}${path}${more}`;
      const answer = await operator.fetch(to, { headers: headers(key), signal, max_bytes: MAX_BYTES });
      if (answer.status === 404 || answer.status === 405) return { names: null };
      if (!answer.ok) return { reason: refusalOf(title, answer.status) };
      const { names: found, next } = read(await answer.json());
      for (const name of found) names.add(name);
      if (next === null) break;
      more = next;
    }
    return { names };
  } catch (error) {
    if (signal.aborted) return { reason: `${title} timed out when listing its models.` };
    return {
      reason: error instanceof Problem ? `${title} is unreachable.` : `${title} returned an invalid model list.`,
    };
  }
}

const refusalOf = (title: string, status: number): string =>
  status === 401 || status === 403
    ? `${title} rejected the API key (${status}).`
    : `${title} returned status ${status}.`;

function idsOf(body: unknown, list: string, name: string): string[] {
  const items = (body as Record<string, unknown>)[list];
  if (!Array.isArray(items)) throw new TypeError('invalid list');
  return items
    .map((item) => item?.[name])
    .filter((value): value is string => typeof value === 'string' && value.length <= 200);
}
