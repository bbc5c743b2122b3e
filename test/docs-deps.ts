import { CONTRACT_VERSION, OPERATIONS } from '../src/contract.ts';
import { loadErrorPages } from '../src/features/docs/error-pages.ts';
import type { DocsDeps } from '../src/features/docs/routes.ts';
import type { ListQuery } from '../src/features/registry/catalog/query.ts';
import { describeStats } from '../src/features/registry/describe-stats.ts';
import { ITEM_EXAMPLE } from '../src/features/registry/examples.ts';
import type { Item } from '../src/features/registry/item.ts';
import { PROVIDERS } from '../src/features/registry/kinds.ts';
import type { Input, Reply } from '../src/platform/http/operation.ts';
import { PROBLEMS } from '../src/problems.ts';

/** What the docs feature is given, with a small catalogue in plain arrays. */

export const HOSTILE: Item = {
  ...ITEM_EXAMPLE,
  name: '<script>alert(1)</script>"\'',
  description: '<img src=x onerror=alert(1)> \u202Etxt',
  author: '"><b>',
  homepage: 'javascript:alert(1)',
  external_id: '"><script>/x',
  provider_id: 'docker',
  source: 'docker',
};

export async function docsDeps(given: Partial<DocsDeps> = {}): Promise<DocsDeps & { asked: ListQuery[] }> {
  const items = [ITEM_EXAMPLE, HOSTILE];
  const asked: ListQuery[] = [];
  const states = [{ provider_id: 'docker', status: 'succeeded', last_success_at: '2026-01-01T00:00:00.000Z' }];
  const counts = [{ provider: 'docker', listing_type: 'server', execution_class: 'mcp', count: 1_234 }];
  return {
    operations: OPERATIONS,
    contract_version: CONTRACT_VERSION,
    problems: PROBLEMS,
    pages: await loadErrorPages(),
    public_url: null,
    base_url: 'http://127.0.0.1:8080',
    clock: { now: () => Date.parse('2026-01-01T00:30:00.000Z') },
    skills: { skills: [] },
    stats: async () => describeStats({ total_count: 1_234, counts }, states, PROVIDERS),
    catalog: {
      isReady: true,
      items: (query) => {
        asked.push(query);
        return { items: items.slice(0, query.limit), total_count: 45 };
      },
    },
    asked,
    ...given,
  };
}

/** What a handler is called with. */
export const input = (it: Partial<Input> & { accept?: string }): never =>
  ({ params: {}, query: { offset: 0 }, raw_path: '/', headers: { accept: it.accept }, ...it }) as never;

/** A reply with a whole body. */
export const text = async (reply: Reply | Promise<Reply>): Promise<Reply & { body: string }> =>
  (await reply) as Reply & { body: string };
