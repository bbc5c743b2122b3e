import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Limit } from '#core/limits/rate-windows.ts';
import { LOG_LEVELS } from '#core/log-levels.ts';
import { editDistance } from '#core/text/edit-distance.ts';
import { CONFIG_FILE, invalid, readConfigFile, readText } from './config-file.ts';

/** Settings as data: name, format and purpose. Only this file reads the environment. */

export interface Setting<T> {
  name: string;
  /** The default as written in the environment, or an empty string. */
  default: string;
  description: string;
  secret: boolean;
  /** The format of the value, for the reference. */
  form: string;
  /** Throws an error with a plain message if the text is invalid. */
  parse(text: string): T;
}

export type SettingTree = { readonly [key: string]: Setting<unknown> | SettingTree };
export type Values<T> = T extends Setting<infer V> ? V : { readonly [K in keyof T]: Values<T[K]> };

type Common = { description: string; secret?: boolean };

const make = <T>(
  name: string,
  fallback: string,
  form: string,
  common: Common,
  parse: (text: string) => T,
): Setting<T> => ({
  name,
  default: fallback,
  description: common.description,
  secret: common.secret ?? false,
  form,
  parse,
});

export const text = (name: string, fallback: string, common: Common): Setting<string> =>
  make(name, fallback, 'text', common, (value) => value);

export const optional = (name: string, common: Common): Setting<string | null> =>
  make(name, '', 'text', common, (value) => (value === '' ? null : value));

export const choice = <T extends string>(name: string, fallback: T, of: readonly T[], common: Common): Setting<T> =>
  make(name, fallback, of.join(' | '), common, (value) => {
    if (!(of as readonly string[]).includes(value)) throw new Error(`must be one of ${of.join(', ')}`);
    return value as T;
  });

export const integer = (name: string, fallback: number, min: number, max: number, common: Common): Setting<number> =>
  make(name, `${fallback}`, `${min} to ${max}`, common, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be an integer from ${min} to ${max}`);
    return number;
  });

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readDuration(text: string): number | null {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** `90s`, `15m`, `1h`, `7d` in milliseconds. */
export const duration = (name: string, fallback: string, min_ms: number, common: Common): Setting<number> =>
  make(name, fallback, 'a duration such as 90s, 15m, 1h, 7d', common, (value) => {
    const ms = readDuration(value);
    if (ms === null) throw new Error('must be a duration such as 90s, 15m, 1h or 7d');
    if (ms < min_ms) throw new Error(`must be at least ${min_ms / 1_000} s`);
    return ms;
  });

/** A number of requests per period: `300/1m`. `policy` is the name that clients see. */
export const rate = (name: string, policy: string, fallback: string, common: Common): Setting<Limit> =>
  make(name, fallback, 'a rate such as 300/1m', common, (value) => {
    const [, count, written] = /^(\d{1,6})\/(.+)$/.exec(value) ?? [];
    const window_ms = readDuration(written ?? '');
    if (count === undefined || Number(count) === 0 || window_ms === null || window_ms < 1_000 || window_ms > UNITS_MS.d)
      throw new Error('must be a rate such as 300/1m, with a period from 1s to 1d');
    return { name: policy, count: Number(count), window_ms };
  });

/** An http(s) URL without a trailing slash, or null. */
export const address = (name: string, common: Common): Setting<string | null> =>
  make(name, '', 'an http(s) URL', common, (value) => {
    if (value === '') return null;
    const url = URL.parse(value);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http(s) URL');
    if (url.search !== '' || url.hash !== '') throw new Error('must not have a query or fragment');
    return url.href.replace(/(?<!\/)\/+$/, '');
  });

/** A postgres:// URL, or null. */
const postgresUrl = (name: string, common: Common): Setting<string | null> =>
  make(name, '', 'a postgres:// URL', common, (value) => {
    if (value === '') return null;
    const url = URL.parse(value);
    if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
      throw new Error('must be a postgres:// URL');
    return value;
  });

/** A comma-separated list; `off` is the empty list. */
export const list = <T extends string>(
  name: string,
  fallback: string,
  of: readonly T[],
  common: Common,
): Setting<T[]> =>
  make(name, fallback, `off, or comma-separated: ${of.join(', ')}`, common, (value) => {
    if (value === 'off') return [];
    const parts = value.split(',').map((part) => part.trim());
    const unknown = parts.filter((part) => !(of as readonly string[]).includes(part));
    if (unknown.length > 0)
      throw new Error(`has unknown values: ${unknown.join(', ')}; allowed are off or ${of.join(', ')}`);
    return [...new Set(parts)] as T[];
  });

/** A comma-separated list of web origins, such as `https://app.example`. */
const origins = (name: string, common: Common): Setting<string[]> =>
  make(name, '', 'comma-separated origins such as https://app.example', common, (value) => {
    const parts = splitList(value);
    const wrong = parts.filter(
      (part) => !/^https?:\/\//i.test(part) || URL.parse(part)?.href !== `${URL.parse(part)?.origin}/`,
    );
    if (wrong.length > 0)
      throw new Error(`must be comma-separated origins such as https://app.example; invalid: ${wrong.join(', ')}`);
    return [...new Set(parts.map((part) => new URL(part).origin))];
  });

/** A comma-separated list of IP addresses and CIDR ranges. */
const networks = (name: string, common: Common): Setting<string[]> =>
  make(name, '', 'comma-separated IP addresses and ranges such as 10.0.0.0/8', common, (value) => {
    const parts = splitList(value);
    const wrong = parts.filter(
      (part) => isIP(part.replace(/\/\d+$/, '')) === 0 || (part.includes('/') && !ipaddr.isValidCIDR(part)),
    );
    if (wrong.length > 0)
      throw new Error(`must be comma-separated IP addresses and ranges; invalid: ${wrong.join(', ')}`);
    return parts;
  });

/** A comma-separated list of host names or addresses; each includes its subdomains. */
export const hosts = (name: string, common: Common): Setting<string[]> =>
  make(name, '', 'comma-separated host names such as example.com', common, (value) => {
    const parts = splitList(value).map((part) => part.replace(/^\*?\./, ''));
    const wrong = parts.filter((part) => part === '' || /[/@?#]/.test(part) || !URL.canParse(`http://${part}`));
    if (wrong.length > 0)
      throw new Error(`must be comma-separated host names such as example.com; invalid: "${wrong.join(', ')}"`);
    return [...new Set(parts.map((part) => new URL(`http://${part}`).hostname))];
  });

const splitList = (value: string): string[] => (value === '' ? [] : value.split(',').map((part) => part.trim()));

export const SERVER_SETTINGS = {
  port: integer('PORT', 8080, 0, 65_535, { description: 'Port to listen on; 0 selects a free port.' }),
  host: text('HOST', '127.0.0.1', { description: 'Address to listen on.' }),
  threads: integer('CAPSTAN_THREADS', 1, 1, 64, {
    description:
      'Number of threads that serve requests on the port. They share the index; each additional thread ' +
      'uses 60 to 100 MB. Values above 1 need an OS that supports SO_REUSEPORT, such as Linux.',
  }),
  data_dir: text('DATA_DIR', './data', {
    description: 'Directory for the embedded database, the index and the keys.',
  }),
  database_url: postgresUrl('DATABASE_URL', {
    description: 'postgres:// URL. If unset, SQLite in DATA_DIR is used.',
    secret: true,
  }),
  streams_per_user: integer('CAPSTAN_STREAMS_PER_USER', 64, 1, 100_000, {
    description: 'Maximum open event streams per account and process.',
  }),
  streams_per_network: integer('CAPSTAN_STREAMS_PER_NETWORK', 512, 1, 1_000_000, {
    description: 'Maximum open event streams per network address and process, including those of its accounts.',
  }),
  public_url: address('PUBLIC_URL', { description: 'Public base URL of the service.' }),
  allowed_origins: origins('CAPSTAN_ALLOWED_ORIGINS', {
    description:
      'Origins whose pages may call the whole API from a browser (CORS). Public GET endpoints allow all origins.',
  }),
  allowed_hosts: hosts('CAPSTAN_ALLOWED_HOSTS', {
    description:
      'Additional host names to accept, each including its subdomains. PUBLIC_URL, HOST, localhost and IP ' +
      'addresses are always accepted.',
  }),
  trusted_proxies: networks('CAPSTAN_TRUSTED_PROXIES', {
    description: 'Trusted reverse proxies. X-Forwarded-For is used only from these addresses.',
  }),
  log_level: choice('LOG_LEVEL', 'info', LOG_LEVELS, { description: 'Minimum log level.' }),
  node_env: choice('NODE_ENV', 'development', ['development', 'production', 'test'], {
    description:
      'Set to production to enforce the production rules. They are also enforced if HOST or PUBLIC_URL is ' +
      'not local.',
  }),
} as const;

/**
 * Returns the values in the shape of the tree. The environment overrides the file, which overrides the default.
 * `<NAME>_FILE` is the path of a secret.
 */
export function readConfig<const T extends SettingTree>(tree: T, env: Record<string, string | undefined>): Values<T> {
  const settings = flatten(tree);
  const inFile = readConfigFile(env[CONFIG_FILE]);
  refuseTwice(inFile, settings);
  refuseTwice(env, settings);
  const merged = merge(inFile, env, settings);
  refuseUnknown(merged, settings);
  return valuesOf(tree, merged) as Values<T>;
}

/** The files that these settings are read from, by the variable that names each. */
export function settingFiles(tree: SettingTree, env: Record<string, string | undefined>): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...readConfigFile(env[CONFIG_FILE]), ...definedOnly(env) };
  const names = flatten(tree).flatMap((setting) => (setting.secret ? [`${setting.name}_FILE`] : []));
  return definedOnly(Object.fromEntries([CONFIG_FILE, ...names].map((name) => [name, merged[name] || undefined])));
}

/** Names of the settings that the environment or its file sets, whatever their values. */
export function givenSettings(tree: SettingTree, env: Record<string, string | undefined>): string[] {
  const merged = { ...readConfigFile(env[CONFIG_FILE]), ...definedOnly(env) };
  return flatten(tree).flatMap(({ name }) => [name, `${name}_FILE`].filter((key) => (merged[key] ?? '') !== ''));
}

export function flatten(tree: SettingTree): Setting<unknown>[] {
  return Object.values(tree).flatMap((tree) => (isSetting(tree) ? [tree] : flatten(tree)));
}

const isSetting = (entry: Setting<unknown> | SettingTree): entry is Setting<unknown> =>
  typeof entry.parse === 'function';

function valuesOf(tree: SettingTree, env: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(tree).map(([key, setting]) => [
    key,
    isSetting(setting) ? readOne(setting, env) : valuesOf(setting, env),
  ]);
  return Object.fromEntries(entries);
}

function readOne(setting: Setting<unknown>, env: Record<string, string>): unknown {
  const written = env[setting.name] || (setting.secret ? secretFile(setting.name, env) : undefined);
  try {
    return setting.parse(written === undefined || written === '' ? setting.default : written);
  } catch (error) {
    const shown = setting.secret || hasPassword(written) ? '' : ` (it is "${written}")`;
    throw invalid(`${setting.name} ${(error as Error).message}${shown}.`);
  }
}

const hasPassword = (text: string | undefined): boolean => /:\/\/[^/?#]*@/.test(text?.slice(0, 2_000) ?? '');

function secretFile(name: string, env: Record<string, string>): string | undefined {
  const path = env[`${name}_FILE`];
  return path === undefined || path === '' ? undefined : readText(path, `${name}_FILE`).trim();
}

/** Settings of the client `capstan`, which may be in the same environment. The service ignores them. */
const CLIENT_SETTINGS: readonly string[] = ['CAPSTAN_URL', 'CAPSTAN_TOKEN', 'CAPSTAN_WALLET_KEY_FILE'];

function refuseUnknown(env: Record<string, string>, settings: Setting<unknown>[]): void {
  const known = [
    CONFIG_FILE,
    ...settings.flatMap((setting) => (setting.secret ? [setting.name, `${setting.name}_FILE`] : [setting.name])),
  ];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('CAPSTAN_') || known.includes(name) || CLIENT_SETTINGS.includes(name)) continue;
    const nearest = known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
    throw invalid(`Unknown setting: ${name}. Did you mean ${nearest}?`);
  }
}

/** If a secret is set twice, it is unclear which one was meant, so this rejects both. */
function refuseTwice(source: Record<string, string | undefined>, settings: Setting<unknown>[]): void {
  for (const { name } of settings.filter((setting) => setting.secret))
    if ((source[name] ?? '') !== '' && (source[`${name}_FILE`] ?? '') !== '')
      throw invalid(`${name} and ${name}_FILE are both set. Remove one of them.`);
}

/** A secret in the environment, under either name, overrides one in the file under the other name. */
function merge(
  inFile: Record<string, string>,
  env: Record<string, string | undefined>,
  settings: Setting<unknown>[],
): Record<string, string> {
  const merged = { ...inFile, ...definedOnly(env) };
  for (const { name } of settings.filter((setting) => setting.secret))
    if ((env[`${name}_FILE`] ?? '') !== '' && env[name] === undefined) delete merged[name];
  return merged;
}

const definedOnly = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Renders `.env.example`: every setting, commented out, with its default. */
export function renderEnvExample(tree: SettingTree): string {
  const blocks = flatten(tree).map(
    (setting) => `# ${setting.description}\n# ${setting.form}\n#${setting.name}=${setting.default}\n`,
  );
  return `# All settings. None is required. Unknown CAPSTAN_ names are rejected.\n\n${blocks.join('\n')}`;
}

/** Renders the configuration reference as a Markdown table. */
export function renderReference(tree: SettingTree): string {
  const rows = flatten(tree).map((setting) => {
    const form = setting.form.replaceAll('|', '\\|');
    const fallback = setting.default === '' ? '' : `\`${setting.default}\``;
    return `| \`${setting.name}\` | ${form} | ${fallback} | ${setting.description}${setting.secret ? ` Or \`${setting.name}_FILE\`.` : ''} |`;
  });
  return `| setting | format | default | description |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}
