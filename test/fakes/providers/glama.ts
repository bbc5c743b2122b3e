import {
  type FakeFaults,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
  json,
  startFakeProvider,
} from './fake-server.ts';

export interface GlamaRecords {
  servers: unknown[];
  /** Null = an older API that has no connectors. */
  connectors: unknown[] | null;
}

/** Glama's `GET /v1/servers` and `GET /v1/connectors`; with `key` set it refuses requests that do not bear it. */
export async function startGlamaFake(options: {
  records: GlamaRecords;
  page_size?: number;
  faults?: FakeFaults;
  key?: string;
}): Promise<FakeProvider<GlamaRecords>> {
  const pageSize = options.page_size ?? 100;
  return startFakeProvider(options, (request, records) => {
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return error(401, 'unauthorized', 'An API key is required');
    const { pathname } = request.url;
    if (pathname === '/v1/servers') return list(request, 'servers', records.servers, pageSize);
    if (pathname === '/v1/connectors' && records.connectors !== null)
      return list(request, 'connectors', records.connectors, pageSize);
    return error(404, 'not_found', 'Not found');
  });
}

function list({ url }: FakeRequest, member: string, all: unknown[], pageSize: number): FakeReply {
  const first = Number(url.searchParams.get('first') ?? '10');
  if (!Number.isInteger(first) || first < 1 || first > 100) return error(400, 'invalid_request', 'first: 1 to 100');
  const after = url.searchParams.get('after');
  const start = after === null ? 0 : positionOf(after);
  if (start === null) return error(400, 'invalid_request', 'after: not a cursor');
  const size = Math.min(first, pageSize);
  const items = all.slice(start, start + size);
  return json({
    pageInfo: {
      startCursor: items.length === 0 ? null : cursorOf(start),
      endCursor: items.length === 0 ? null : cursorOf(start + items.length),
      hasNextPage: start + size < all.length,
      hasPreviousPage: start > 0,
    },
    [member]: items,
  });
}

const cursorOf = (position: number): string => Buffer.from(JSON.stringify({ position })).toString('base64');

function positionOf(cursor: string): number | null {
  const digits = /^\{"position":(\d+)\}$/.exec(Buffer.from(cursor, 'base64').toString());
  return digits === null ? null : Number(digits[1]);
}

const error = (status: number, code: string, message: string): FakeReply => ({
  ...json({ error: { code, message } }),
  status,
});
