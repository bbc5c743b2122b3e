import type { McpFailure } from '../../platform/mcp/failure.ts';
import { MASK } from '../../platform/redact.ts';
import type { Carried } from './seams.ts';

/** Takes what a request was made with out of what is said about its failure: servers, and the guard, may repeat it. */
export function scrubbed(failure: McpFailure, { url, headers }: Carried, shown_url: string): McpFailure {
  const secrets = [...Object.values(headers).flatMap(partsOf), ...filledIn(url, shown_url)];
  // The longest first, so that no rest of one is left standing.
  const longest_first = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const clean = (text: string) => longest_first.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  const { detail, challenge } = failure;
  return { ...failure, detail: clean(detail), challenge: challenge === null ? null : clean(challenge) };
}

/** Shorter pieces are words that happen to be there. */
const LEAST_CHARS = 5;

/** A header's value, its words, and the name and password within a basic credential. */
function partsOf(value: string): string[] {
  const [scheme = '', rest = ''] = value.split(' ', 2);
  const basic = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  return [value, ...value.split(/\s+/), basic, basic.slice(basic.indexOf(':') + 1)].filter(isSecret);
}

/** The pieces of an address that are not in it as it is shown: what its variables were filled with. */
function filledIn(url: string, shown_url: string): string[] {
  if (url === shown_url) return [];
  const pieces = url.split(/[/?&=#:@]+/).filter((piece) => isSecret(piece) && !shown_url.includes(piece));
  return [url, ...pieces.flatMap((piece) => [piece, decoded(piece)])];
}

const SCHEME = /^(basic|bearer|digest|dpop|token)$/i;

const isSecret = (text: string): boolean => text.length >= LEAST_CHARS && !SCHEME.test(text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
