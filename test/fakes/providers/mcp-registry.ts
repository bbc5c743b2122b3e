import { defined } from '#core/defined.ts';
import {
  type FakeFaults,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
  json,
  startFakeProvider,
} from './fake-server.ts';

type Raw = { server?: { version?: unknown }; _meta?: Record<string, Record<string, unknown>> } | null;

/** The official registry's `GET /v0.1/servers`; `records` are elements of `servers[]`, all versions and states. */
export const startMcpRegistryFake = (options: {
  records: unknown[];
  page_size?: number;
  faults?: FakeFaults;
}): Promise<FakeProvider<unknown[]>> =>
  startFakeProvider(options, (request, records) =>
    request.url.pathname === '/v0.1/servers'
      ? list(request, records, options.page_size ?? 100)
      : error(404, 'Endpoint not found'),
  );

function list({ url }: FakeRequest, records: unknown[], pageSize: number): FakeReply {
  const limit = Number(url.searchParams.get('limit') ?? '30');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return error(422, 'expected limit between 1 and 100');
  const since = url.searchParams.get('updated_since');
  if (since !== null && !/^\d{4}-\d{2}-\d{2}T.+Z$/.test(since)) return error(400, 'updated_since is not RFC 3339');
  const found = records.filter((raw) => matches(raw as Raw, url.searchParams, since));
  const start = startOf(url.searchParams.get('cursor'));
  if (start === null) return error(400, 'Invalid cursor');
  const size = Math.min(limit, pageSize);
  const servers = found.slice(start, start + size);
  const more = start + size < found.length;
  return json({
    servers,
    metadata: {
      ...defined({ nextCursor: more ? `io.example/n@${start + size}:1.0.0+b` : undefined }),
      count: servers.length,
    },
  });
}

function matches(raw: Raw, params: URLSearchParams, since: string | null): boolean {
  const official = raw?._meta?.['io.modelcontextprotocol.registry/official'];
  const version = params.get('version');
  if (version === 'latest' && official?.isLatest === false) return false;
  if (version !== null && version !== 'latest' && raw?.server?.version !== version) return false;
  if (since !== null && Date.parse(String(official?.updatedAt)) < Date.parse(since)) return false;
  return official?.status !== 'deleted' || since !== null || params.get('include_deleted') === 'true';
}

// The real cursors are names with a version: full of characters that have to be encoded.
const startOf = (cursor: string | null): number | null =>
  cursor === null ? 0 : Number(/^io\.example\/n@(\d+):1\.0\.0\+b$/.exec(cursor)?.[1] ?? Number.NaN) || null;

const error = (status: number, detail: string): FakeReply => ({
  ...json({ title: 'Error', status, detail }),
  status,
  type: 'application/problem+json',
});
