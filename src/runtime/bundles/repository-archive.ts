import { SKILL_HOSTS } from '#catalog/install/skill-hosts.ts';

/** The archive that a code host makes of a repository, from the address that a person copies. Pure. */

export interface RepositoryHosts {
  /** Of GitHub's archives: `<url>/<owner>/<repo>/tar.gz/<ref>`. */
  github: string;
  gitlab: string;
}

interface RepositoryArchive {
  url: string;
  /** The folder that the address points at; "" is the whole repository. */
  folder: string;
  /** Whether the archive has one folder around everything. */
  has_outer_folder: boolean;
}

/** Default hosts; an operator may have mirrors. */
export const REPOSITORY_HOSTS: RepositoryHosts = { github: SKILL_HOSTS.github, gitlab: 'https://gitlab.com' };

const REF = /^[A-Za-z0-9][\w.-]{0,199}$/;
const NAME = /^[\w.-]{1,100}$/;
const MOST_SEGMENTS = 40;

/** Or a sentence that says which addresses are understood. */
export function repositoryArchive(
  address: string,
  hosts: RepositoryHosts = REPOSITORY_HOSTS,
): RepositoryArchive | { unsupported: string } {
  const url = URL.parse(address.trim());
  if (url === null || url.protocol !== 'https:')
    return { unsupported: 'Give the https address of a repository or an archive.' };
  if (url.username !== '' || url.password !== '')
    return { unsupported: 'Remove the credentials from the address: only public repositories are read.' };
  if (/\.(?:zip|tgz|tar\.gz)$/i.test(url.pathname)) return { url: url.href, folder: '', has_outer_folder: false };
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > MOST_SEGMENTS || segments.includes('..')) return PLACE_UNCLEAR;
  switch (url.hostname.replace(/^www\./, '')) {
    case 'github.com':
      return plain(segments, /^(?:tree|blob)$/, 1, (path, ref) => `${hosts.github}/${path}/tar.gz/${ref}`);
    case 'codeberg.org':
      return plain(segments, /^src$/, 2, (path, ref) => `https://codeberg.org/${path}/archive/${ref}.tar.gz`);
    case 'bitbucket.org':
      return plain(segments, /^src$/, 1, (path, ref) => `https://bitbucket.org/${path}/get/${ref}.tar.gz`);
    case 'gitlab.com':
      return gitlab(segments, hosts.gitlab);
    default:
      return {
        unsupported:
          'Repositories are read from github.com, gitlab.com, codeberg.org and bitbucket.org. ' +
          'For others, give the address of a .zip or .tar.gz archive, or upload one.',
      };
  }
}

const PLACE_UNCLEAR = { unsupported: 'The address does not name a repository, or its branch has a slash.' };

/** `owner/name`, then perhaps a word, the ref (after `more - 1` other words) and a folder. */
function plain(
  [owner = '', written = '', word, ...rest]: string[],
  words: RegExp,
  more: number,
  archiveOf: (path: string, ref: string) => string,
): RepositoryArchive | { unsupported: string } {
  const name = written.replace(/\.git$/, '');
  if (!isName(owner) || !isName(name) || (word !== undefined && !words.test(word))) return PLACE_UNCLEAR;
  return at(rest.slice(more - 1), (ref) => archiveOf(`${owner}/${name}`, ref));
}

/** Groups nest, so the repository ends where `/-/` begins. */
function gitlab(segments: string[], base: string): RepositoryArchive | { unsupported: string } {
  const end = segments.indexOf('-');
  const path = segments.slice(0, end < 0 ? undefined : end).map((name) => name.replace(/\.git$/, ''));
  const [word, ...rest] = end < 0 ? [] : segments.slice(end + 1);
  if (path.length < 2 || !path.every(isName) || (word !== undefined && word !== 'tree' && word !== 'blob'))
    return PLACE_UNCLEAR;
  return at(rest, (ref) => `${base}/${path.join('/')}/-/archive/${ref}/archive.tar.gz`);
}

function at(
  [ref = 'HEAD', ...folder]: string[],
  archiveOf: (ref: string) => string,
): RepositoryArchive | { unsupported: string } {
  if (!REF.test(ref) || ref.includes('..')) return PLACE_UNCLEAR;
  const path = decoded(folder.join('/').replace(/\/?(?:SKILL\.md|HARNESS\.md|harness\.yaml|rig\.yaml)$/, ''));
  if (path === null || path.split('/').includes('..')) return PLACE_UNCLEAR;
  return { url: archiveOf(ref), folder: path, has_outer_folder: true };
}

const isName = (name: string): boolean => NAME.test(name) && name !== '.' && name !== '..';

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
