import { fold } from '#catalog/changes/fold.ts';

/** Addresses of repositories in one form, however they are written. Pure. */

export interface Repository {
  /** `github.com/owner/name`, lower case: hosts of code take no notice of case. */
  address: string;
  owner: string;
  name: string;
  /** Folder inside it; '' is the whole. Kept in its own case. */
  folder: string;
}

const HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitee.com']);
/** First parts of a path that are no account. */
const NO_OWNERS = new Set(['orgs', 'apps', 'marketplace', 'topics', 'sponsors', 'features', 'settings', 'users']);
const RAW = 'raw.githubusercontent.com';

/** Null for what is no repository at a known host. `git@host:a/b`, `git+https://…`, `owner/repo/tree/main/x` are read. */
export function repositoryOf(text: string): Repository | null {
  const url = URL.parse(normalForm(text.trim()));
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

const normalForm = (text: string): string =>
  text
    .replace(/^git@([^:/]+):/, 'https://$1/')
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/^(?=(?:www\.)?(?:github|gitlab)\.com\/)/i, 'https://');

/** `tree/main/packages/x` is the folder `packages/x`, and `blob/main/x/README.md` the one that the file is in. */
function folderIn(rest: readonly string[]): string {
  const at = rest[0] === '-' ? 1 : 0;
  const [kind, , ...path] = rest.slice(at);
  if (kind === 'tree') return cleanFolder(path.join('/'));
  return kind === 'blob' ? cleanFolder(path.slice(0, -1).join('/')) : '';
}

/** Without what says nothing: slashes at the ends, a leading `./`. */
export const cleanFolder = (text: string): string =>
  text
    .trim()
    .replace(/^(?:\.?\/)+|^\.$/, '')
    .replace(/(?<!\/)\/+$/, '');

/** Whose an id of a provider's is, as far as ids tell. Pure. */

/** Ids that begin with an account at a host of code. */
const ACCOUNT_FORMS: Record<string, RegExp> = {
  'mcp-registry': /^io\.git(?:hub|lab)\.([^/]+)\//i,
  glama: /^@?([^/]+)\//,
  smithery: /^@?([^/]+)\//,
};

/**
 * `io.github.ana/…` and `@ana/…` are `ana`'s. Of a domain, which the official registry has checked, its own label must
 * begin as the account does: `com.ana` is taken for `ana-labs`.
 */
export function isOfAccount(provider_id: string, external_id: string, owner: string): boolean {
  const account = ACCOUNT_FORMS[provider_id]?.exec(external_id)?.[1];
  if (account !== undefined) return account.toLowerCase() === owner;
  if (provider_id !== 'mcp-registry') return false;
  const [label, other] = [plain(ownLabel(external_id)), plain(owner)];
  return label.length > 2 && other.length > 2 && (label.startsWith(other) || other.startsWith(label));
}

/** `com.ana.mcp/…` and `uk.co.ana/…` are of `ana`; what stands further in anybody can name as they like. */
function ownLabel(external_id: string): string {
  const labels = (external_id.split('/', 1)[0] as string).toLowerCase().split('.');
  const is_second_level = labels.length > 2 && /^(?:com?|org|net|ac)$/.test(labels[1] as string);
  return labels[is_second_level ? 2 : 1] ?? '';
}

const plain = (account: string): string => account.replace(/[^a-z0-9]/g, '');

/** What ids begin with elsewhere, where a provider reads who it is. */
const ALSO: Record<string, RegExp> = {
  clawhub: /^@?([^/]+)\//,
  'gemini-extensions': /^([^/]+)\//,
  'skills-sh': /^([^/]+)\/[^/]+\//,
};

/**
 * The account that a provider lets an id begin with only for whoever has it, lower case: of the official registry a domain
 * too. Null where ids say nothing of that.
 */
export function accountOf(provider_id: string, external_id: string): string | null {
  const account = (ACCOUNT_FORMS[provider_id] ?? ALSO[provider_id])?.exec(external_id)?.[1];
  if (account !== undefined) return account.toLowerCase();
  return provider_id === 'mcp-registry' ? (external_id.split('/', 1)[0] as string).toLowerCase() : null;
}

/** A package in one form: ecosystem and id, without version. Null where it names none. Pure. */
export function packageKey({ registry_type, identifier }: Record<string, unknown>): string | null {
  if (typeof registry_type !== 'string' || typeof identifier !== 'string' || identifier.trim() === '') return null;
  const type = registry_type.toLowerCase();
  const id = identifier.trim();
  if (id.length > 300) return null;
  const form = Object.hasOwn(PACKAGE_FORMS, type) ? PACKAGE_FORMS[type] : undefined;
  // Of a kind that is not known: what is downloaded changes its address with each version.
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

/** `name@1.2`, but not the sign of a scope. */
const withoutVersion = (id: string): string => id.replace(/(?<=.)@[^@/]*$/, '');

/** Without tag and digest; Docker's own host may be left out. */
function imageName(id: string): string {
  const name = id
    .toLowerCase()
    .replace(/^docker:\/\/|^https?:\/\//, '')
    .replace(/@sha256:.*/s, '')
    .replace(/:[^:/]*$/, '');
  return name.replace(/^(?:index\.|registry-1\.)?docker\.io\//, '').replace(/^library\//, '');
}

/**
 * The address of a server without what does not make it another one: scheme, query, the transport's own last part.
 * A host alone is never identity: gateways serve thousands. Pure.
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

/** Names in a form in which those of one thing meet. Pure. */

/** What every server is called. */
const EMPTY = new Set(
  (
    'mcp server servers model context protocol the a an for of with by and to from in on using via your my official ' +
    'remote local modelcontextprotocol claude ai io js py ts node python typescript'
  ).split(' '),
);
/** What says little in a description. */
const COMMON = new Set(
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

export const wordsOf = (text: string): string[] =>
  fold(text.slice(0, 2_000).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[\p{L}\p{N}]+/gu) ?? [];

/** `mcp-server-sumologic`, `Sumo Logic MCP Server` and `sumologic` are one; '' where nothing is left. */
export const nameKey = (name: string): string =>
  wordsOf(name)
    .filter((it) => !EMPTY.has(it))
    .join('')
    .replace(/^mcp|mcp$/g, '')
    .slice(0, 80);

/** What the names say, word by word. */
export const nameWords = (names: readonly string[]): string[] =>
  [...new Set(names.flatMap(wordsOf))].filter((it) => it.length > 2 && !EMPTY.has(it) && !COMMON.has(it)).sort();

/** Of skills and plugins, where each word counts. */
export const slugKey = (name: string): string => wordsOf(name).join('').slice(0, 80);

/** Each once, in the order of the alphabet. */
export const contentWords = (text: string): string[] =>
  [...new Set(wordsOf(text).map(stem))].filter((it) => it.length > 1 && !EMPTY.has(it) && !COMMON.has(it)).sort();

const stem = (word: string): string =>
  word.length > 3 ? word.replace(/(?:ies|y)$/, 'i').replace(/(?<!s)s$/, '') : word;
