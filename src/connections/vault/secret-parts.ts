import { secretOf } from './carried.ts';

/** The secret parts of a connection's credentials, as a server could repeat them. Pure. */

/** `values` by row name; `headers` as sent. */
export function secretsOf(
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): string[] {
  // A user name appears in many places and is not secret.
  const stored = Object.entries(values).filter(([field]) => isGiven(field) && field !== secretOf.username);
  return [...stored.flatMap(([, value]) => partsOf(value)), ...partsOf(headers.authorization ?? '')];
}

/** What OAuth stores is read by `accessToken`. */
const isGiven = (field: string): boolean => !field.includes(' ') || /^(?:variable|env|argument)\./.test(field);

/** Minimum length of parts that are not words, such as those of a cookie. */
const LEAST_PART = 12;
const SCHEME = /^(basic|bearer|digest|dpop|token)$/i;

/** The whole value, its words, the items of a list, and the content of a basic credential. */
function partsOf(value: string): string[] {
  const words = value.split(/\s+/).filter((word) => !SCHEME.test(word));
  const parts = value.split(/[\s;,=]+/).filter((part) => part.length >= LEAST_PART);
  const [scheme = '', rest = ''] = value.split(' ', 2);
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  return [value, ...words, ...parts, pair, pair.slice(pair.indexOf(':') + 1)];
}
