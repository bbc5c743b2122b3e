import { cleanFolder, repositoryOf } from '#catalog/identity/normalize.ts';
import type { ListingRow } from '#core/db/schema.ts';

/** The repository and folder of a listing's source, and the path of its claim file. Pure. */

export interface Place {
  host: 'github.com' | 'gitlab.com';
  /** `owner/name`. */
  repository: string;
  /** Folder in the repository; '' for its root or if unknown. */
  folder: string;
}

type Listed = Pick<ListingRow, 'repository' | 'homepage' | 'install' | 'manifest'>;
type Json = Record<string, unknown>;

/** Null if it names no repository on GitHub or GitLab. */
export function placeOf(row: Listed): Place | null {
  const install = jsonOf(row.install);
  const source = objectOf(install.source);
  const texts = [row.repository, install.git_url, install.source, source.repository, row.homepage];
  for (const text of texts) {
    const found = typeof text === 'string' ? repositoryOf(text) : null;
    const [host, ...path] = found?.address.split('/') ?? [];
    if (found === null || (host !== 'github.com' && host !== 'gitlab.com')) continue;
    const said = found.folder || textOf(source.path) || textOf(objectOf(jsonOf(row.manifest).repository).subfolder);
    const folder = cleanFolder(said);
    return isFolder(folder) ? { host, repository: path.join('/'), folder } : null;
  }
  return null;
}

/** Whether it is a relative path without `..`. */
export const isFolder = (folder: string): boolean =>
  folder.length <= 300 &&
  !/[\p{Cc}\\?#]/u.test(folder) &&
  !folder.split('/').some((segment) => segment === '..' || segment === '.');

const jsonOf = (text: string | null): Json => (text === null ? {} : objectOf(JSON.parse(text)));
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const CLAIM_FILE = '.well-known/capstan.json';

export interface RawHosts {
  github: string;
  gitlab: string;
}
export const RAW_HOSTS: RawHosts = { github: 'https://raw.githubusercontent.com', gitlab: 'https://gitlab.com' };

/** URL of a file on the default branch. */
export function rawUrl(hosts: RawHosts, { host, repository, folder }: Place, file: string): string {
  const path = [folder, file]
    .filter((text) => text !== '')
    .join('/')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return host === 'github.com'
    ? `${hosts.github}/${repository}/HEAD/${path}`
    : `${hosts.gitlab}/${repository}/-/raw/HEAD/${path}`;
}
