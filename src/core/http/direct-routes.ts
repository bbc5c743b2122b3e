import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashOf } from '#core/text/text-cache.ts';
import { DirectRequest, type Incoming } from './incoming.ts';

/** Reads the input, calls the handler and sends the response. Throws only before anything was sent. */
export type Answer = (incoming: Incoming, response: ServerResponse) => Promise<void>;

/**
 * Public GETs at paths without parameters. They do not need the framework, whose routing takes as long as finding the
 * response: they are handled before it, by the same function as their route.
 */
export interface DirectRoutes {
  add(path: string, operation: string, answer: Answer): void;
  /** Returns false if the request must go through the framework. */
  take(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface DirectOptions {
  isOpen(): boolean;
  begun(operation: string, path: string, request: IncomingMessage): void;
  fail(error: unknown, incoming: Incoming, response: ServerResponse): void;
  answered(operation: string, incoming: Incoming, response: ServerResponse, durationMs: number): void;
}

export function directRoutes({ isOpen, begun, fail, answered }: DirectOptions): DirectRoutes {
  // By hash of the path, because the path is a substring of the request: see text-cache.ts.
  const byPath = new Map<number, Route>();
  const run = async ({ path, operation, answer }: Route, request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now();
    begun(operation, path, request);
    const incoming = new DirectRequest(request);
    try {
      await answer(incoming, response);
    } catch (error) {
      fail(error, incoming, response);
    }
    answered(operation, incoming, response, performance.now() - started);
  };
  return {
    add(path, operation, answer) {
      if (byPath.has(hashOf(path))) throw new Error(`${path} has the hash of another path`);
      byPath.set(hashOf(path), { path, operation, answer });
    },
    take(request, response) {
      if (request.method !== 'GET' || !isOpen() || hasBody(request)) return false;
      const url = request.url as string;
      const end = endOfPath(url);
      const route = byPath.get(hashOf(url, end));
      if (route === undefined || route.path.length !== end || !url.startsWith(route.path)) return false;
      void run(route, request, response);
      return true;
    },
  };
}

interface Route {
  path: string;
  /** Operation id. */
  operation: string;
  answer: Answer;
}

/** The framework handles requests with a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] ?? headers['transfer-encoding'] ?? headers['content-type']) !== undefined;

export function splitUrl(url: string): [path: string, query: string] {
  const end = endOfPath(url);
  return [url.slice(0, end), url.slice(end + 1)];
}

function endOfPath(url: string): number {
  const at = url.indexOf('?');
  return at === -1 ? url.length : at;
}
