import type { AuthField, Connection } from '#connections/connections/connection.ts';
import { isHeaderName, isHeaderValue } from './header-rules.ts';

/** Builds a connection's requests from what its listing requires and what its owner provided. Pure. */

interface Assembled {
  url: string;
  /** By lower-case name, so that each occurs once. */
  headers: Record<string, string>;
  /** Names of required values that nobody provided. */
  missing: string[];
}

type Described = Pick<Connection, 'url' | 'auth'>;
type Secrets = Record<string, string>;

/** The name of a secret's row. Fields of other code contain a space, so they cannot collide with these. */
export const secretOf = {
  header: (name: string): string => `header.${name.toLowerCase()}`,
  variable: (name: string): string => `variable.${name}`,
  env: (name: string): string => `env.${name}`,
  argument: (name: string): string => `argument.${name}`,
  token: 'bearer.token',
  username: 'basic.username',
  password: 'basic.password',
};

export function assemble({ url, auth }: Described, secrets: Secrets): Assembled {
  const values = new Map(Object.entries(auth.values));
  const fill = filler(auth.fields, values, secrets);
  const missing: string[] = [];
  const address = fill(url, encodeURIComponent);
  missing.push(...address.missing);
  const headers: Record<string, string> = {};
  const put = (name: string, text: string): boolean => {
    if (!isHeaderName(name) || !isHeaderValue(text)) return false;
    headers[name.toLowerCase()] = text;
    return true;
  };
  for (const field of auth.fields.filter((authField) => authField.in === 'header')) {
    const given = secrets[secretOf.header(field.name)] ?? values.get(field.name);
    const text = given === undefined ? fill(field.value || field.default, String) : { text: given, missing: [] };
    const sent = text.missing.length === 0 && put(field.name, text.text);
    if (!sent && field.required) missing.push(...(text.missing.length > 0 ? text.missing : [field.name]));
  }
  for (const [field, value] of Object.entries(secrets))
    if (field.startsWith('header.')) put(field.slice('header.'.length), value);
  const authorization = authorizationOf(auth.type, secrets);
  if (authorization !== null) put('authorization', authorization);
  const hasToken = auth.type === 'oauth' || authorization !== null;
  const still = missing.filter((name) => !(hasToken && name.toLowerCase() === 'authorization'));
  return { url: address.text, headers, missing: [...new Set(still)] };
}

function authorizationOf(type: Connection['auth']['type'], secrets: Secrets): string | null {
  const { [secretOf.token]: token, [secretOf.username]: username, [secretOf.password]: password } = secrets;
  if (type === 'bearer' && token !== undefined) return `Bearer ${token}`;
  if (type !== 'basic' || username === undefined || password === undefined) return null;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Normalized URLs encode braces as %7B and %7D, and the text between them too. */
const PLACE = /\{([^{}]{1,100})\}|%7B((?:(?!%7[BD])[^{}/?#]){1,300})%7D/gi;

type Fill = (template: string, encode: (value: string) => string) => { text: string; missing: string[] };

/** Fills values into a template. A value never introduces new variables. */
function filler(fields: readonly AuthField[], values: Map<string, string>, secrets: Secrets): Fill {
  const defaults = new Map(
    fields.filter((field) => field.in === 'variable').map((field) => [field.name, field.value || field.default]),
  );
  const textOf = (name: string): string =>
    secrets[secretOf.variable(name)] ?? values.get(name) ?? defaults.get(name) ?? '';
  return (template, encode) => {
    const missing: string[] = [];
    const text = template.replace(PLACE, (place, plain: string | undefined, written = '') => {
      const name = plain ?? decoded(written);
      const value = textOf(name);
      if (value !== '') return encode(value.toWellFormed());
      missing.push(name);
      return place;
    });
    return { text, missing };
  };
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
