import type { IncomingMessage, ServerResponse } from 'node:http';
import { textCache } from '#core/text/text-cache.ts';

/**
 * Complete responses to repeated GETs, sent before the router runs. The key is the URL and two headers; requests with
 * other conditions use the router.
 */
export interface ReadyAnswers {
  /** Returns false if the request must go through the router. */
  send(request: IncomingMessage, response: ServerResponse): boolean;
  keep(
    request: IncomingMessage,
    headers: readonly string[],
    body: Uint8Array,
    isFresh: () => boolean,
    operation: string,
  ): void;
}

interface ReadyOptions {
  newRequestId(): string;
  isOpen(): boolean;
  onAnswer(operation: string, request: IncomingMessage): void;
}

interface Answer {
  /** The two headers of the request that it answers. */
  accept: string | undefined;
  accept_encoding: string | undefined;
  /** Names and values in turn. The position of the request id is known. */
  headers: readonly string[];
  id_at: number;
  body: Uint8Array;
  isFresh: () => boolean;
  /** Operation id. */
  operation: string;
}

const MOST_BYTES = 16 * 2 ** 20;
/** Clients of one URL rarely differ in more ways than this. */
const MOST_VARIANTS = 4;

export function readyAnswers({ newRequestId, isOpen, onAnswer }: ReadyOptions): ReadyAnswers {
  const byUrl = textCache<Answer[]>({
    most_bytes: MOST_BYTES,
    bytesOf: (answers) => answers.reduce((sum, answer) => sum + answer.body.byteLength + 1_024, 0),
  });
  return {
    send(request, response) {
      if (request.method !== 'GET') return false;
      const url = request.url as string;
      const answers = byUrl.get(url);
      if (answers === undefined || !isOpen() || isConditional(request)) return false;
      const answer = answers.find((answer) => isFor(answer, request));
      if (answer === undefined) return false;
      if (!answer.isFresh()) {
        byUrl.delete(url);
        return false;
      }
      const headers = answer.headers.slice();
      headers[answer.id_at] = newRequestId();
      response.writeHead(200, headers);
      response.end(answer.body);
      onAnswer(answer.operation, request);
      return true;
    },
    keep(request, headers, body, isFresh, operation) {
      if (request.method !== 'GET' || isConditional(request)) return;
      const { accept, 'accept-encoding': accept_encoding } = request.headers;
      const id_at = headers.indexOf('x-request-id') + 1;
      const answer = { accept, accept_encoding, headers: [...headers], id_at, body, isFresh, operation };
      const url = request.url as string;
      const others = (byUrl.get(url) ?? []).filter((answer) => answer.isFresh() && !isFor(answer, request));
      byUrl.set(url, [answer as Answer, ...others].slice(0, MOST_VARIANTS));
    },
  };
}

/** Headers that only the router handles. */
const isConditional = ({ headers }: IncomingMessage): boolean =>
  headers['if-none-match'] !== undefined || headers['x-request-id'] !== undefined || headers.expect !== undefined;

const isFor = ({ accept, accept_encoding }: Answer, { headers }: IncomingMessage): boolean =>
  accept === headers.accept && accept_encoding === headers['accept-encoding'];
