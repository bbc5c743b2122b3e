import { faultOfValue } from '#catalog/install/launch-target.ts';
import { type AuthField, isOfPackage } from '#connections/connections/connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { coreProblem } from '#core/errors.ts';
import { type FieldError, type Problem, pointerTo } from '#core/problem/problem.ts';
import { plain } from '#core/tools/words.ts';
import { secretOf } from './carried.ts';
import { isHeaderName, isHeaderValue } from './header-rules.ts';

/** Credentials as users provide them. Pure. Errors never contain them. */

export const CREDENTIAL_TYPES = ['header', 'bearer', 'basic', 'variables'] as const;
type CredentialType = (typeof CREDENTIAL_TYPES)[number];

export interface CredentialInput {
  type: CredentialType;
  headers?: Record<string, string>;
  token?: string;
  username?: string;
  password?: string;
  variables?: Record<string, string>;
}

export interface Storable {
  type: CredentialType;
  /** The names that are shown. */
  names: string[];
  /** By row name. */
  secrets: Record<string, string>;
}

const FIELDS_OF: Record<CredentialType, readonly (keyof CredentialInput)[]> = {
  header: ['headers'],
  bearer: ['token'],
  basic: ['username', 'password'],
  variables: ['variables'],
};

/** Servers accept no more headers in total. */
const MOST_BYTES = 16_384;

/**
 * `fields` are those of the server's listing. Throws `http.invalid` (`input`) or `connections.invalid` (`credentials`).
 */
export function readCredentialInput(given: CredentialInput, fields: readonly AuthField[]): Storable {
  const wrong = faultsOf(given);
  if (wrong.length > 0) throw malformed(given.type, wrong);
  const storable = storableOf(given, fields);
  const bytes = Object.values(storable.secrets).reduce((sum, secret) => sum + Buffer.byteLength(secret), 0);
  if (bytes > MOST_BYTES)
    throw malformed(given.type, [{ pointer: '', detail: `are ${bytes} bytes in total; the limit is ${MOST_BYTES}` }]);
  return storable;
}

function faultsOf(given: CredentialInput): FieldError[] {
  const wanted = FIELDS_OF[given.type];
  const absent = wanted.filter((field) => given[field] === undefined);
  if (absent.length > 0)
    return absent.map((field) => ({ pointer: `/${field}`, detail: `is required for type ${given.type}` }));
  const other = Object.keys(given).filter((key) => key !== 'type' && !wanted.includes(key as keyof CredentialInput));
  if (other.length > 0)
    return other.map((key) => ({ pointer: `/${key}`, detail: `is not allowed for type ${given.type}` }));
  return CHECKS[given.type](given);
}

const CHECKS: Record<CredentialType, (given: CredentialInput) => FieldError[]> = {
  header: ({ headers = {} }) => [
    ...fault(!Object.keys(headers).every(isHeaderName), '/headers', 'names a header that must not be set'),
    ...fault(!Object.values(headers).every(isHeaderValue), '/headers', `has a value that is not ${VISIBLE}`),
    ...fault(hasTwice(Object.keys(headers)), '/headers', 'contains a name twice; names are case-insensitive'),
    ...fault(Object.keys(headers).length === 0, '/headers', 'must contain at least one header'),
  ],
  bearer: ({ token = '' }) => fault(!/^[!-~]{1,8192}$/.test(token), '/token', `is not ${VISIBLE} without spaces`),
  basic: ({ username = '', password = '' }) => [
    ...fault(username === '' || username.includes(':') || !isText(username), '/username', 'must not contain a colon'),
    ...fault(password !== '' && !isText(password), '/password', 'must not contain control characters'),
  ],
  variables: ({ variables = {} }) => [
    ...fault(!Object.values(variables).every(isGivenText), '/variables', 'has an empty or non-string value'),
    ...fault(Object.keys(variables).length === 0, '/variables', 'must contain at least one variable'),
  ],
};

const VISIBLE = '1 to 8192 characters of visible ASCII';

const fault = (is: boolean, pointer: string, detail: string): FieldError[] => (is ? [{ pointer, detail }] : []);

const hasTwice = (names: string[]): boolean => new Set(names.map((name) => name.toLowerCase())).size < names.length;

/** Without control characters and lone surrogates. */
const isText = (text: string): boolean => text !== '' && text.isWellFormed() && !/\p{Cc}/u.test(text);

/** A program may be given lines, such as a key in PEM form. */
const isGivenText = (text: string): boolean => text !== '' && text.isWellFormed() && !text.includes('\0');

function storableOf(given: CredentialInput, fields: readonly AuthField[]): Storable {
  const { type, headers = {}, token = '', username = '', password = '', variables = {} } = given;
  const as = (names: string[], secrets: Record<string, string>): Storable => ({ type, names, secrets });
  if (type === 'bearer') return as(['token'], { [secretOf.token]: token });
  if (type === 'basic')
    return as(['username', 'password'], { [secretOf.username]: username, [secretOf.password]: password });
  if (type === 'variables') return as(Object.keys(variables), secretsOfFields(variables, fields));
  const entries = Object.entries(headers).map(([name, value]) => [secretOf.header(name), value] as const);
  return as(Object.keys(headers), Object.fromEntries(entries));
}

/** By name, whether the listing has it in its URL or its headers. */
function secretsOfFields(variables: Record<string, string>, fields: readonly AuthField[]): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const found = fields.filter((field) => field.name === name);
    if (found.length === 0) throw unfit(fields);
    for (const field of found) {
      const wrong = faultOfField(field, value);
      if (wrong !== null) throw malformed('variables', [wrong]);
      secrets[secretOf[field.in](name)] = value;
    }
  }
  return secrets;
}

function faultOfField(field: AuthField, value: string): FieldError | null {
  if (isOfPackage(field)) {
    const wrong = faultOfValue(field, value);
    return wrong === null ? null : { pointer: `/variables${pointerTo(field.name)}`, detail: wrong };
  }
  if (field.in === 'header' && !isHeaderValue(value))
    return { pointer: '/variables', detail: `has a header's value that is not ${VISIBLE}` };
  return isText(value) ? null : { pointer: '/variables', detail: 'has a value with control characters' };
}

const malformed = (type: CredentialType, errors: FieldError[]): Problem =>
  coreProblem(
    'http.invalid',
    `Invalid credentials of type ${type}: ${errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`.trim()).join('; ')}. Nothing was stored.`,
    { reason: 'input', errors },
  );

const unfit = (fields: readonly AuthField[]): Problem =>
  connectionsProblem(
    'connections.invalid',
    fields.length === 0
      ? "The server's listing has no variables, or there is no listing. Use type header, bearer or basic."
      : `The server's listing names ${[...new Set(fields.map(({ name }) => plain(name, 100)))].join(', ')} and no other variables. Nothing was stored.`,
    {
      reason: 'credentials',
      errors: [{ pointer: '/variables', detail: 'contains a name that is not in the listing' }],
    },
  );
