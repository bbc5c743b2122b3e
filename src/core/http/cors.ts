import type { IncomingHttpHeaders } from 'node:http';
import type { OperationBase } from './operation.ts';

/**
 * CORS: which pages of other sites can read a response. Public GETs: all. Everything else: pages of allowed origins.
 * Never with credentials: the API reads no cookies, and clients send bearer tokens explicitly.
 */
export interface Cors {
  /** Returns the response headers for this operation and the requesting origin. */
  headersFor(isOpen: boolean, origin: string | undefined): Record<string, string>;
  /** Returns the headers of a preflight response for the path of these operations. */
  preflight(operations: readonly OperationBase[], headers: IncomingHttpHeaders): Record<string, string>;
}

export const isOpenToAll = (operation: OperationBase): boolean =>
  operation.any_origin === true || isPublicGet(operation);

export const isPublicGet = ({ method, access }: OperationBase): boolean => method === 'GET' && access === 'public';

const EXPOSED =
  'ETag, Idempotent-Replayed, Link, Location, Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Capstan-Index, X-Capstan-Seq, X-Request-Id';
const OPEN_REQUEST_HEADERS = 'Accept, Content-Type, If-None-Match, X-Request-Id, Traceparent';
/** For requests with a credential that the page itself holds, and for MCP. */
const ANY_REQUEST_HEADERS = `${OPEN_REQUEST_HEADERS}, Authorization, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id`;
const ALL_REQUEST_HEADERS = `${ANY_REQUEST_HEADERS}, Idempotency-Key, X-Challenge-Id, X-Wallet-Signature`;

/** For every page: public GETs and unknown paths. */
export const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };

/** Browsers cache a preflight response for two hours at most. */
const OPEN_MAX_AGE_S = '86400';
const ALLOWED_MAX_AGE_S = '7200';

export function createCors(allowed_origins: readonly string[]): Cors {
  const allowed = new Set(allowed_origins);
  // A response that is the same for every origin needs no Vary.
  const vary: Record<string, string> = allowed.size === 0 ? {} : { vary: 'Origin' };
  const allow = (origin: string) => ({ ...vary, 'access-control-allow-origin': origin });
  return {
    headersFor(isOpen, origin) {
      if (isOpen) return OPEN_TO_ALL;
      if (origin === undefined || !allowed.has(origin)) return vary;
      return { ...allow(origin), 'access-control-expose-headers': EXPOSED };
    },
    preflight(operations, { origin, 'access-control-request-method': method }) {
      if (origin !== undefined && allowed.has(origin))
        return {
          ...allow(origin),
          'access-control-allow-methods': methodsOf(operations),
          'access-control-allow-headers': ALL_REQUEST_HEADERS,
          'access-control-max-age': ALLOWED_MAX_AGE_S,
        };
      const open = operations.filter(isOpenToAll);
      if (open.length === 0 || !(method === undefined || methodsOf(open).split(', ').includes(method))) return vary;
      return {
        ...vary,
        'access-control-allow-origin': '*',
        'access-control-allow-methods': methodsOf(open),
        'access-control-allow-headers': open.some((operation) => operation.any_origin)
          ? ANY_REQUEST_HEADERS
          : OPEN_REQUEST_HEADERS,
        'access-control-max-age': OPEN_MAX_AGE_S,
      };
    },
  };
}

/** Returns the methods of these operations for `Allow`. */
export function methodsOf(operations: readonly OperationBase[]): string {
  const methods = operations.map((operation) => operation.method);
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}
