import { secretOf } from './carried.ts';

/** What of a connection's credentials is secret by itself, as a server could repeat it. Pure. */

/** `values` by the names of rows, `headers` as they are sent. */
export function secretsOf(
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): string[] {
  // A user name is shown at many places, and is no secret.
  const stored = Object.entries(values).filter(([field]) => isGiven(field) && field !== secretOf.username);
  return [...stored.flatMap(([, value]) => partsOf(value)), ...partsOf(headers.authorization ?? '')];
}

/** What signing in by OAuth stores beside is read by `accessToken`. */
const isGiven = (field: string): boolean => !field.includes(' ') || field.startsWith('variable.');

/** Parts that are no words, such as those of a cookie. */
const LEAST_PART = 12;
const SCHEME = /^(basic|bearer|digest|dpop|token)$/i;

/** A value whole, its words, the parts of a list, and what a basic credential encodes. */
function partsOf(value: string): string[] {
  const words = value.split(/\s+/).filter((word) => !SCHEME.test(word));
  const parts = value.split(/[\s;,=]+/).filter((part) => part.length >= LEAST_PART);
  const [scheme = '', rest = ''] = value.split(' ', 2);
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  return [value, ...words, ...parts, pair, pair.slice(pair.indexOf(':') + 1)];
}
