import Negotiator from 'negotiator';
import type { Encoding } from './operation.ts';

/** Content negotiation. Respects q-values; ties go to the order of `offered`. */

/** The header as Node provides it. */
type Header = string | string[] | undefined;

/** Returns the media type of the response, or undefined if none of the offered types is acceptable. */
export function preferredType(header: Header, offered: readonly string[]): string | undefined {
  const accept = header?.toString();
  if (accept === undefined || accept === '') return offered[0];
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaType([...offered]);
}

/** `text/markdown; charset=utf-8` asks for Markdown: only `q` matters for the types offered here. */
const withoutParameters = (accept: string): string =>
  accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';');
      return [type, ...parameters.filter((parameter) => /^\s*q\s*=/i.test(parameter))].join(';');
    })
    .join(',');

const OFFERED = ['zstd', 'br', 'gzip', 'identity'];
const known = new Map<string, Encoding | null>();

/**
 * Returns the encoding of the response, or null for none. Results are cached, because clients send few distinct
 * headers.
 */
export function preferredEncoding(header: string | undefined): Encoding | null {
  if (header === undefined || header === '' || header === 'identity') return null;
  const kept = known.get(header);
  if (kept !== undefined) return kept;
  const negotiated = new Negotiator({ headers: { 'accept-encoding': header } }).encoding(OFFERED);
  const answer = negotiated === undefined || negotiated === 'identity' ? null : (negotiated as Encoding);
  if (known.size >= 200) known.clear();
  known.set(header, answer);
  return answer;
}
