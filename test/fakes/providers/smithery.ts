import {
  conditional,
  type FakeFaults,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
  json,
  startFakeProvider,
} from './fake-server.ts';

interface SmitheryRecords {
  servers: unknown[];
  skills: unknown[];
  /** Answers of `GET /servers/{qualifiedName}`. */
  details?: { qualifiedName: string }[];
}

/** Smithery's `GET /servers` and `GET /skills`; with `key` set it refuses requests that do not bear it. */
export async function startSmitheryFake(options: {
  records: SmitheryRecords;
  page_size?: number;
  faults?: FakeFaults;
  key?: string;
}): Promise<FakeProvider<SmitheryRecords>> {
  const pageLimit = options.page_size ?? 100;
  return startFakeProvider(options, (request, records) => {
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return error(401, 'Missing or invalid API key');
    if (request.url.pathname === '/servers')
      return list(request, 'servers', ordered(request, records.servers), pageLimit);
    if (request.url.pathname === '/skills') return list(request, 'skills', records.skills, pageLimit);
    const [, name] = /^\/servers\/([^/]+)$/.exec(request.url.pathname) ?? [];
    const asked = name === undefined ? undefined : decodeURIComponent(name);
    const detail = records.details?.find(({ qualifiedName }) => qualifiedName === asked);
    return detail === undefined ? error(404, 'Server or namespace not found') : conditional(request, json(detail));
  });
}

// Without a seed the order is the relevance of the moment, another one for each page.
function ordered({ url }: FakeRequest, servers: unknown[]): unknown[] {
  if (url.searchParams.has('seed')) return servers;
  const turn = Number(url.searchParams.get('page') ?? '1');
  return [...servers.slice(turn), ...servers.slice(0, turn)];
}

function list({ url }: FakeRequest, member: string, all: unknown[], pageLimit: number): FakeReply {
  const page = Number(url.searchParams.get('page') ?? '1');
  const asked = Number(url.searchParams.get('pageSize') ?? '10');
  if (!Number.isInteger(page) || page < 1) return error(400, 'page must be at least 1');
  if (!Number.isInteger(asked) || asked < 1 || asked > 100) return error(400, 'pageSize must be 1 to 100');
  const size = Math.min(asked, pageLimit);
  return json({
    [member]: all.slice((page - 1) * size, page * size),
    pagination: {
      currentPage: page,
      pageSize: size,
      totalPages: Math.ceil(all.length / size),
      totalCount: all.length,
    },
  });
}

const error = (status: number, message: string): FakeReply => ({ ...json({ error: message }), status });
