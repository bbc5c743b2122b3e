import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';

/**
 * Finished answers to GETs that come again and again, sent before the router sees the request. What such a request
 * may ask for is all in its URL and in the two headers of the key; any other condition goes the long way.
 */
export interface ReadyAnswers {
  /** False where the request has to go the long way. */
  send(request: IncomingMessage, response: ServerResponse): boolean;
  keep(
    request: IncomingMessage,
    headers: readonly string[],
    body: Uint8Array,
    isFresh: () => boolean,
    route: string,
  ): void;
}

export interface ReadyOptions {
  newRequestId(): string;
  isOpen(): boolean;
  onAnswer(route: string, status: number, duration_ms: number): void;
}

interface Answer {
  /** Name, value, name, value; the place of the request's id is known. */
  headers: readonly string[];
  id_at: number;
  body: Uint8Array;
  isFresh: () => boolean;
  route: string;
}

const MOST_BYTES = 16 * 2 ** 20;

export function readyAnswers({ newRequestId, isOpen, onAnswer }: ReadyOptions): ReadyAnswers {
  const answers = new LRUCache<string, Answer>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length * 2 + 1_024,
  });
  return {
    send(request, response) {
      if (request.method !== 'GET' || answers.size === 0) return false;
      const started = performance.now();
      const key = keyOf(request);
      const answer = answers.get(key);
      if (answer === undefined || !isOpen() || isConditional(request)) return false;
      if (!answer.isFresh()) {
        answers.delete(key);
        return false;
      }
      const headers = answer.headers.slice();
      headers[answer.id_at] = newRequestId();
      response.writeHead(200, headers);
      response.end(answer.body);
      onAnswer(answer.route, 200, performance.now() - started);
      return true;
    },
    keep(request, headers, body, isFresh, route) {
      if (request.method !== 'GET' || isConditional(request)) return;
      const id_at = headers.indexOf('x-request-id') + 1;
      answers.set(keyOf(request), { headers: [...headers], id_at, body, isFresh, route });
    },
  };
}

/** What the router would look at beside the key. */
const isConditional = ({ headers }: IncomingMessage): boolean =>
  headers['if-none-match'] !== undefined || headers['x-request-id'] !== undefined || headers.expect !== undefined;

const keyOf = ({ url, headers }: IncomingMessage): string =>
  `${url}\n${headers['accept-encoding'] ?? ''}\n${headers.accept ?? ''}`;
