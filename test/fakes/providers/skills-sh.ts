import {
  conditional,
  type FakeFaults,
  type FakeProvider,
  type FakeRequest,
  json,
  plain,
  startFakeProvider,
} from './fake-server.ts';

/**
 * skills.sh and its public mirror behind one address. The API wants a bearer and counts pages from 0; the mirror names
 * today's tag and serves `records` a line each, strings as they are.
 */
export async function startSkillsShFake(options: {
  records: unknown[];
  page_size: number;
  tag?: string;
  faults?: FakeFaults;
}): Promise<FakeProvider<unknown[]>> {
  const { page_size, tag = 'dist-2026-06-07' } = options;
  const apiPage = ({ url, headers }: FakeRequest, records: unknown[]) => {
    if (headers.authorization === undefined) {
      return { ...json({ error: 'authentication_required', message: 'Pass a token.' }), status: 401 };
    }
    const page = Number(url.searchParams.get('page') ?? 0);
    const perPage = Math.min(page_size, Number(url.searchParams.get('per_page') ?? 100));
    const data = records.slice(page * perPage, (page + 1) * perPage);
    const hasMore = (page + 1) * perPage < records.length;
    return json({ data, pagination: { page, perPage, total: records.length, hasMore } });
  };
  return startFakeProvider(options, (request, records) => {
    const path = request.url.pathname;
    if (path === '/api/v1/skills') return apiPage(request, records);
    if (path === '/skill-one/skills-sh-mirror/dist/latest') return conditional(request, plain(200, `${tag}\n`));
    if (path !== `/skill-one/skills-sh-mirror/${tag}/skills.jsonl`) return plain(404, '404: Not Found');
    const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
    return conditional(request, plain(200, lines.map((line) => `${line}\n`).join('')));
  });
}
