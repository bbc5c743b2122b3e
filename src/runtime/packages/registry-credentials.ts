import { readFileSync } from 'node:fs';
import type { RegistryFetch } from './registry-fetch.ts';

/**
 * Credentials for private registries, from files that the operator names. Each belongs to one address: requests to any other
 * address, redirects included, are sent without it.
 */
interface RegistryCredentials {
  /** The `Authorization` header for this URL; null for none. */
  authorizationOf(url: URL): string | null;
  /** Every form of them that a message could repeat. */
  secrets: readonly string[];
}

export interface NpmAccess extends RegistryCredentials {
  /** The registry of the scope of this package; null if none is configured for it. */
  registryOf(name: string): string | null;
  /** Of all scopes. */
  registries: readonly string[];
  /** What the npm CLI reads in an install box; empty if there is nothing to tell. */
  npmrc: string;
}

export interface IndexAccess extends RegistryCredentials {
  /** The address of the index with the user and the password, which pip sends to that origin only. */
  index_url: string;
}

/** Adds the header to requests to the addresses of these credentials. The fetch follows no redirects. */
export const withCredentials =
  (fetch: RegistryFetch, { authorizationOf }: RegistryCredentials): RegistryFetch =>
  (url, init) => {
    const authorization = authorizationOf(new URL(url));
    if (authorization === null) return fetch(url, init);
    const headers = new Headers(init.headers as ConstructorParameters<typeof Headers>[0]);
    headers.set('authorization', authorization);
    return fetch(url, { ...init, headers: Object.fromEntries(headers) });
  };

interface Account {
  token?: string;
  auth?: string;
  username?: string;
  password?: string;
}

const SCOPE = /^@[a-z0-9~][a-z0-9._~-]*$/i;

/**
 * The lines of an `.npmrc` that concern registries: `@scope:registry=…`, and `_authToken`, `_auth`, or `username` with
 * `_password` of an address. Other lines are not used.
 *
 * @throws RangeError for a file that cannot be read, or a value that is not usable.
 */
export function readNpmrc(file: string | null, registry: string | null): NpmAccess {
  const scopes = new Map<string, string>();
  const accounts = new Map<string, Account>();
  for (const [at, line] of linesOf(file, 'CAPSTAN_NPMRC')) {
    const [, key = '', raw = ''] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    const value = raw.trim().replace(/^"(.*)"$/, '$1');
    const wrong = (why: string) => new RangeError(`CAPSTAN_NPMRC, line ${at}: ${why}.`);
    const place = key.trim();
    const [, scope] = /^(@[^:]+):registry$/.exec(place) ?? [];
    const [, address, member] = /^(\/\/.+?)\/?:(_authToken|_auth|username|_password)$/.exec(place) ?? [];
    if (scope === undefined && address === undefined) continue;
    if (/\$\{/.test(value)) throw wrong('variables are not replaced here; write the value itself');
    if (!/^[\x21-\x7e]{1,8192}$/.test(value)) throw wrong('the value is empty or has characters that are not allowed');
    if (scope !== undefined) scopes.set(scopeOf(scope, wrong), registryOf(value, wrong));
    else accounts.set(addressOf(address), withMember(accounts.get(addressOf(address)), member, value));
  }
  const registries = [...new Set(scopes.values())];
  const trusted = new Set([registry, ...registries].flatMap((each) => (each === null ? [] : [new URL(each).origin])));
  const headers = [...accounts].flatMap(([address, account]): [string, string][] => {
    const header = headerOf(account);
    return header === null ? [] : [[address, header]];
  });
  // The longest address that the URL is below counts.
  headers.sort(([a], [b]) => b.length - a.length);
  return {
    registryOf: (name) => scopes.get((/^(@[^/]+)\//.exec(name)?.[1] ?? '').toLowerCase()) ?? null,
    registries,
    authorizationOf: (url) => {
      if (url.protocol !== 'https:' && !trusted.has(url.origin)) return null;
      const place = `//${url.host}${url.pathname}`;
      return headers.find(([address]) => place.startsWith(address) || `${place}/` === address)?.[1] ?? null;
    },
    secrets: [...accounts.values()].flatMap(secretsOf),
    npmrc: [
      ...[...scopes].map(([scope, address]) => `${scope}:registry=${address}`),
      ...[...accounts].flatMap(([address, account]) => accountLines(address, account)),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  };
}

/** Ends with a slash. Hosts have no case, paths may separate accounts by it. */
const addressOf = (address = ''): string => `${address}/`.replace(/^\/\/[^/]*/, (host) => host.toLowerCase());

function scopeOf(text: string, wrong: (why: string) => RangeError): string {
  if (!SCOPE.test(text)) throw wrong('this is not a scope such as @ana');
  return text.toLowerCase();
}

function registryOf(text: string, wrong: (why: string) => RangeError): string {
  const url = URL.parse(text);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) throw wrong('the registry must be an http(s) URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrong('the URL of a registry has no password, query or fragment; use //host/:_authToken');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

const MEMBERS: Readonly<Record<string, keyof Account>> = {
  _authToken: 'token',
  _auth: 'auth',
  username: 'username',
  _password: 'password',
};

const withMember = (account: Account | undefined, member: string | undefined, value: string): Account =>
  Object.assign({}, account, { [MEMBERS[member ?? ''] as string]: value });

function headerOf({ token, auth, username, password }: Account): string | null {
  if (token !== undefined) return `Bearer ${token}`;
  if (auth !== undefined) return `Basic ${auth}`;
  if (username === undefined || password === undefined) return null;
  return `Basic ${base64(`${username}:${Buffer.from(password, 'base64').toString()}`)}`;
}

function accountLines(address: string, { token, auth, username, password }: Account): string[] {
  const lines = { _authToken: token, _auth: auth, username, _password: password };
  return Object.entries(lines).flatMap(([member, value]) =>
    value === undefined ? [] : [`${address}:${member}=${value}`],
  );
}

function secretsOf(account: Account): string[] {
  const { token, auth, password } = account;
  const plain = [auth, password].flatMap((each) => {
    const decoded = Buffer.from(each ?? '', 'base64').toString();
    return [decoded, decoded.replace(/^[^:]*:/, '')];
  });
  const header = headerOf(account)?.replace(/^\w+ /, '');
  return [...new Set([token, auth, password, header, ...plain])].filter(
    (each) => each !== undefined && each.length > 3,
  ) as string[];
}

/**
 * The entry of a netrc file for the host of the index: `machine host login user password token`. Other entries are not used.
 *
 * @throws RangeError for a file that cannot be read.
 */
export function readNetrc(file: string | null, index: string | null): IndexAccess {
  const none = { authorizationOf: () => null, secrets: [], index_url: index ?? '' };
  if (file === null || index === null) return none;
  const withPassword = new URL(index);
  const { host, hostname, origin } = withPassword;
  const words = linesOf(file, 'CAPSTAN_PYPI_NETRC').flatMap(([, line]) => line.split(/\s+/));
  const entry = new Map<string, string>();
  let isOurs = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === 'default') isOurs = false;
    if (!['machine', 'login', 'password', 'account'].includes(word)) continue;
    const value = words[++at] ?? '';
    if (word === 'machine') isOurs = entry.size === 0 && [host, hostname].includes(value.toLowerCase());
    else if (isOurs) entry.set(word, value);
  }
  const [login, password] = [entry.get('login') ?? '__token__', entry.get('password') ?? ''];
  if (password === '') return none;
  const encoded = base64(`${login}:${password}`);
  withPassword.username = encodeURIComponent(login);
  withPassword.password = encodeURIComponent(password);
  return {
    authorizationOf: (url) => (url.origin === origin ? `Basic ${encoded}` : null),
    secrets: [...new Set([password, withPassword.password, encoded])].filter((each) => each.length > 3),
    index_url: withPassword.href,
  };
}

/** Without comments and empty lines, with their numbers. */
function linesOf(file: string | null, setting: string): [number, string][] {
  if (file === null) return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new RangeError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  return text
    .split(/\r?\n/)
    .map((line, at): [number, string] => [at + 1, line.trim()])
    .filter(([, line]) => line !== '' && !/^[#;]/.test(line));
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
