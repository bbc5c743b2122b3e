import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '#core/ids.ts';

/** A request as operations need it. The framework's own request also has this shape. */
export interface Incoming {
  raw: IncomingMessage;
  id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A request without a body that the framework has not handled. */
export class DirectRequest implements Incoming {
  raw: IncomingMessage;
  id: string;
  headers: IncomingHttpHeaders;
  body = undefined;

  constructor(raw: IncomingMessage) {
    this.raw = raw;
    this.id = requestId(raw);
    this.headers = raw.headers;
  }
}

/**
 * Aborts when the client disconnects. It watches the response, because a request already closes once it has been read.
 */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort(GONE);
  else response.once('close', () => gone.abort(GONE));
  return gone.signal;
}

/** One for all: each response closes, and making an error takes long. */
const GONE = new DOMException('The client disconnected, or its response is complete.', 'AbortError');

const REQUEST_ID = /^[\w.-]{8,64}$/;

/** Returns the client's request id if it can be logged. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
}
