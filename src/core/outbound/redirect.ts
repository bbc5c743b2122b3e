import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { Headers } from './undici.ts';

/** One request of a chain of redirects. */
export interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Uint8Array | URLSearchParams | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The only headers that may follow to another origin: others may contain a secret under an unknown name. */
const HARMLESS = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent', 'content-type']);

export const isRedirect = (response: { status: number; headers: { has(name: string): boolean } }): boolean =>
  REDIRECTS.has(response.status) && response.headers.has('location');

/** Builds the request for a redirect by the rules of fetch, but stricter about headers to other origins. */
export function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = URL.parse(location, hop.url);
  if (!url) throw refused('to an invalid URL');
  const toGet = status === 303 ? hop.method !== 'HEAD' : (status === 301 || status === 302) && hop.method === 'POST';
  const body = toGet ? null : hop.body;
  const headers = new Headers(hop.headers);
  if (toGet) headers.delete('content-type');
  if (url.origin !== hop.url.origin) {
    if (body !== null) throw refused('that would forward the request body to another origin');
    for (const name of [...headers.keys()]) if (!HARMLESS.has(name)) headers.delete(name);
  }
  return { url, method: toGet ? 'GET' : hop.method, headers, body };
}

export const refused = (why: string): Problem =>
  coreProblem('outbound.failed', `The server sent a redirect ${why}.`, { reason: 'redirect' });
