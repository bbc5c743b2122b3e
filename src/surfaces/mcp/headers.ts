import { coreProblem } from '#core/errors.ts';

/** Reads the headers of a message. */

export type Headers = Record<string, string | string[] | undefined>;

/** Undefined if it is missing; a header that was sent twice counts as missing. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;

export function demandJson(headers: Headers): void {
  if (JSON_TYPE.test(headerOf(headers, 'content-type') ?? '')) return;
  throw coreProblem('http.unsupported_media_type', 'Send the body as application/json.');
}

/** `Accept` must name events: for a client that accepts anything, such as curl, plain JSON is better. */
export const takesEvents = (headers: Headers): boolean =>
  (headerOf(headers, 'accept') ?? '').includes('text/event-stream');
