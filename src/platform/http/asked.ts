import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../ids.ts';

/** A request as operations need it, whichever way it came: the framework's own has this form too. */
export interface Asked {
  raw: IncomingMessage;
  id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  readonly signal: AbortSignal;
}

/**
 * A request without a body that the framework has not seen. A class for its getters: an object literal with one is given
 * a hidden class of its own each time, which is slow to make and lives long.
 */
export class AskedDirectly implements Asked {
  raw: IncomingMessage;
  id: string;
  headers: IncomingHttpHeaders;
  body = undefined;
  #response: ServerResponse;

  constructor(raw: IncomingMessage, response: ServerResponse) {
    this.raw = raw;
    this.id = requestId(raw);
    this.headers = raw.headers;
    this.#response = response;
  }

  get signal(): AbortSignal {
    const left = new AbortController();
    this.#response.once('close', () => left.abort());
    return left.signal;
  }
}

const REQUEST_ID = /^[\w.-]{8,64}$/;

/** The client's own where it is one that can be logged. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
}
