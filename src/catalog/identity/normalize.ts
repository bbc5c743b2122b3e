import { fold } from '#catalog/changes/fold.ts';

/**
 * Canonical forms of repositories, accounts, packages, server addresses and names, so that different spellings compare equal.
 * Pure.
 */

export interface Repository {
  /** `github.com/owner/name` in lower case, because code hosts ignore case. */
  address: string;
  owner: string;
  name: string;
  /** Folder inside the repository, in its original case; '' is the root. */
  folder: string;
}

const HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitee.com']);
/** First path segments that are pages of the host, not accounts. */
const NO_OWNERS = new Set(['orgs', 'apps', 'marketplace', 'topics', 'sponsors', 'features', 'settings', 'users']);
const RAW = 'raw.githubusercontent.com';

/** Null unless the text names a repository at a known host. Accepts `git@host:a/b`, `git+https://…` and `owner/repo/tree/main/x`. */
export function repositoryOf(text: string): Repository | null {
  const url = URL.parse(webAddress(text.trim()));
  if (url === null) return null;
  const host = url.hostname.toLowerCase().replace(/^www\./, '');
  const parts = url.pathname.split('/').filter(Boolean);
  const [owner = '', second = '', ...rest] = parts;
  const name = second.replace(/\.git$/i, '');
  if (owner === '' || name === '' || NO_OWNERS.has(owner.toLowerCase())) return null;
  if (host !== RAW && !HOSTS.has(host)) return null;
  const address = `${host === RAW ? 'github.com' : host}/${owner}/${name}`.toLowerCase();
  return { address, owner: owner.toLowerCase(), name: name.toLowerCase(), folder: host === RAW ? '' : folderIn(rest) };
}

function webAddress(text: string): string {
  return text
    .replace(/^git@([^:/]+):/, 'https://$1/')
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/^(?=(?:www\.)?(?:github|gitlab)\.com\/)/i, 'https://');
}

/** `tree/main/packages/x` is the folder `packages/x`; `blob/main/x/README.md` is the folder `x`. */
function folderIn(rest: readonly string[]): string {
  const at = rest[0] === '-' ? 1 : 0;
  const [kind, , ...path] = rest.slice(at);
  if (kind === 'tree') return cleanFolder(path.join('/'));
  return kind === 'blob' ? cleanFolder(path.slice(0, -1).join('/')) : '';
}

/** Removes a leading `./` and slashes at both ends. */
export function cleanFolder(text: string): string {
  return text
    .trim()
    .replace(/^(?:\.?\/)+|^\.$/, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** Providers whose ids begin with an account at a code host. */
const ACCOUNT_FORMS: Record<string, RegExp> = {
  'mcp-registry': /^io\.git(?:hub|lab)\.([^/]+)\//i,
  glama: /^@?([^/]+)\//,
  smithery: /^@?([^/]+)\//,
};

/**
 * Whether a listing's id belongs to the account `owner` of a code host. `io.github.ana/…` and `@ana/…` belong to `ana`. The
 * official registry verifies domains: the domain's own label must start like the account, so `com.ana` matches `ana-labs`.
 */
export function isOfAccount(provider_id: string, external_id: string, owner: string): boolean {
  const account = ACCOUNT_FORMS[provider_id]?.exec(external_id)?.[1];
  if (account !== undefined) return account.toLowerCase() === owner;
  if (provider_id !== 'mcp-registry') return false;
  const [label, other] = [plainAccount(domainLabel(external_id)), plainAccount(owner)];
  return label.length > 2 && other.length > 2 && (label.startsWith(other) || other.startsWith(label));
}

/** `ana` in both `com.ana.mcp/…` and `uk.co.ana/…`. Subdomains are ignored, because their names are free to choose. */
export function domainLabel(externalId: string): string {
  const labels = (externalId.split('/', 1)[0] as string).toLowerCase().split('.');
  const isSecondLevel = labels.length > 2 && /^(?:com?|org|net|ac)$/.test(labels[1] as string);
  return labels[isSecondLevel ? 2 : 1] ?? '';
}

function plainAccount(account: string): string {
  return account.replace(/[^a-z0-9]/g, '');
}

/** Further providers whose ids begin with an account that the provider itself has read. */
const OTHER_ACCOUNT_FORMS: Record<string, RegExp> = {
  clawhub: /^@?([^/]+)\//,
  'gemini-extensions': /^([^/]+)\//,
  'skills-sh': /^([^/]+)\/[^/]+\//,
};

/**
 * The account at the beginning of an id, in lower case, where the provider gives that prefix to the account's holder only. For
 * the official registry it may be a domain. Null where ids do not carry an account.
 */
export function accountOf(provider_id: string, external_id: string): string | null {
  const account = (ACCOUNT_FORMS[provider_id] ?? OTHER_ACCOUNT_FORMS[provider_id])?.exec(external_id)?.[1];
  if (account !== undefined) return account.toLowerCase();
  return provider_id === 'mcp-registry' ? (external_id.split('/', 1)[0] as string).toLowerCase() : null;
}

/** `ecosystem:id` without a version. Null where no package is named or the ecosystem is unknown. */
export function packageKey({ registry_type, identifier }: Record<string, unknown>): string | null {
  if (typeof registry_type !== 'string' || typeof identifier !== 'string' || identifier.trim() === '') return null;
  const type = registry_type.toLowerCase();
  const id = identifier.trim();
  if (id.length > 300) return null;
  const form = Object.hasOwn(PACKAGE_FORMS, type) ? PACKAGE_FORMS[type] : undefined;
  // Other kinds, such as plain downloads, change their address with each version.
  return form === undefined ? null : `${type}:${form(id)}`;
}

const PACKAGE_FORMS: Record<string, (id: string) => string> = {
  npm: (id) => withoutVersion(id).toLowerCase(),
  pypi: (id) =>
    id
      .replace(/[[=<>~!].*/s, '')
      .replace(/@.*/s, '')
      .toLowerCase()
      .replace(/[-_.]+/g, '-'),
  nuget: (id) => withoutVersion(id).toLowerCase(),
  cargo: (id) => withoutVersion(id).toLowerCase().replaceAll('_', '-'),
  oci: imageName,
};

/** Removes `@1.2` from `name@1.2`, but keeps the `@` of a scope. */
function withoutVersion(id: string): string {
  return id.replace(/(?<=.)@[^@/]*$/, '');
}

/** Removes the tag, the digest and Docker Hub's host, which is the default. */
function imageName(id: string): string {
  const name = id
    .toLowerCase()
    .replace(/^docker:\/\/|^https?:\/\//, '')
    .replace(/@sha256:.*/s, '')
    .replace(/:[^:/]*$/, '');
  return name.replace(/^(?:index\.|registry-1\.)?docker\.io\//, '').replace(/^library\//, '');
}

/**
 * The address of a server without scheme, query and the transport's last path segment. The path stays, because gateways serve
 * thousands of servers from one host.
 */
export function remoteKey(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.toLowerCase();
  const path = url.pathname
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/(?:mcp|sse|http|message|messages|stream|streamable-http)$/i, '')
    .replace(/(?<!\/)\/+$/, '');
  return `${url.host.toLowerCase().replace(/^www\./, '')}${path}`;
}

/** Words that appear in the name of any server. */
const GENERIC_NAME_WORDS = new Set(
  (
    'mcp server servers model context protocol the a an for of with by and to from in on using via your my official ' +
    'remote local modelcontextprotocol claude ai io js py ts node python typescript'
  ).split(' '),
);
/** Words that appear in the description of any server. */
const COMMON_WORDS = new Set(
  (
    'that this which it its is are be as or at can you use used uses user users tool tools api apis allow allows ' +
    'enable enables enabling provide provides providing access interact interacts interacting interaction integrate ' +
    'integrates integration integrating implementation based through into data manage managing management seamless ' +
    'seamlessly assistant assistants llm llms agent agents language large models natural service services platform ' +
    'system support supports supporting effortlessly easily simple powerful including application applications app ' +
    'client clients desktop interface real time query queries querying information operations operation create get ' +
    'will when their them they other such directly connect connects connecting enhance across various run all more ' +
    'any not if has have how need needs make build built want about like etc standardized workflow workflows task ' +
    'tasks feature features functionality capability capabilities perform access offers offer designed'
  ).split(' '),
);

function wordsOf(text: string): string[] {
  return fold(text.slice(0, 2_000).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** `mcp-server-sumologic`, `Sumo Logic MCP Server` and `sumologic` have the same key; '' if only generic words remain. */
export function nameKey(name: string): string {
  return wordsOf(name)
    .filter((word) => !GENERIC_NAME_WORDS.has(word))
    .join('')
    .replace(/^mcp|mcp$/g, '')
    .slice(0, 80);
}

function isSpecific(word: string): boolean {
  return !GENERIC_NAME_WORDS.has(word) && !COMMON_WORDS.has(word);
}

/** The specific words of the names, sorted. */
export function nameWords(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(wordsOf))].filter((word) => word.length > 2 && isSpecific(word)).sort();
}

/** Key for names of skills and plugins, where generic words count too. */
export function slugKey(name: string): string {
  return wordsOf(name).join('').slice(0, 80);
}

/** The specific word stems of a text, sorted. */
export function contentWords(text: string): string[] {
  return [...new Set(wordsOf(text).map(stem))].filter((word) => word.length > 1 && isSpecific(word)).sort();
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|y)$/, 'i').replace(/(?<!s)s$/, '') : word;
}
