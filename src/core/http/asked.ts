import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '#core/ids.ts';

/** A request as operations need it, whichever way it came: the framework's own has this form too. */
export interface Asked {
  raw: IncomingMessage;
  id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A request without a body that the framework has not seen. */
export class AskedDirectly implements Asked {
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

/** Aborted when the client has gone. By the answer: a request closes as soon as it was read, which is no sign of that. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

const REQUEST_ID = /^[\w.-]{8,64}$/;

/** The client's own where it is one that can be logged. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
}
