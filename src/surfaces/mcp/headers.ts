import { Problem } from '#core/problem/problem.ts';

/** What the headers of a message say. */

export type Headers = Record<string, string | string[] | undefined>;

/** Undefined where it is missing; a header that was sent twice is as good as none. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;

export function demandJson(headers: Headers): void {
  if (JSON_TYPE.test(headerOf(headers, 'content-type') ?? '')) return;
  throw new Problem('unsupported_media_type', 'http.unsupported_media_type', 'Send the body as application/json.');
}

/** `Accept` has to name events: a client that takes anything, such as curl, is better served by plain JSON. */
export const takesEvents = (headers: Headers): boolean =>
  (headerOf(headers, 'accept') ?? '').includes('text/event-stream');
