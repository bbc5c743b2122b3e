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
