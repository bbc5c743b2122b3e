import { url } from '#catalog/sync/adapt-fields.ts';

/** Addresses of single files in public repositories, without an API. Pure. */

export interface RawUrls {
  /** Serves `/{owner}/{repo}/{ref}/{path}`. */
  github: string;
  /** Serves `/{project}/-/raw/{ref}/{path}`. */
  gitlab: string;
}

export const RAW_URLS: RawUrls = { github: 'https://raw.githubusercontent.com', gitlab: 'https://gitlab.com' };

export interface RawRepository {
  host: 'github' | 'gitlab';
  /** The folder of the listing; '' is the root. */
  folder: string;
  /** The address of a file, by its path from the root. */
  fileAt(path: string): string;
}

const GITHUB =
  /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([\w.-]{1,100})(?:\/([^?#]*))?(?:[?#]|$)/;
const GITLAB = /^https?:\/\/gitlab\.com\/([^?#]{3,300})/;
const SEGMENT = /^[\w.-]{1,100}$/;
const REF = /^[\w.-]{1,100}$/;

/** Null if it is elsewhere, or not a repository. `subfolder` is what the provider reports beside the address. */
export function rawRepository(urls: RawUrls, address: string, subfolder = ''): RawRepository | null {
  const clean = url(address);
  const github = GITHUB.exec(clean);
  if (github !== null) return ofGithub(urls, github, subfolder);
  const gitlab = GITLAB.exec(clean);
  return gitlab === null ? null : ofGitlab(urls, gitlab[1] ?? '', subfolder);
}

function ofGithub(
  { github }: RawUrls,
  [, owner = '', written = '', rest = '']: RegExpExecArray,
  subfolder: string,
): RawRepository | null {
  const repo = written.replace(/\.git$/, '');
  if (!isName(repo)) return null;
  const [kind, ref = '', ...path] = rest.split('/');
  const isTree = (kind === 'tree' || kind === 'blob') && REF.test(ref);
  const folder = folderOf(subfolder || (isTree ? path.join('/') : ''));
  if (folder === null) return null;
  return {
    host: 'github',
    folder,
    fileAt: (path) => `${github}/${owner}/${repo}/${isTree ? ref : 'HEAD'}/${encoded(path)}`,
  };
}

function ofGitlab({ gitlab }: RawUrls, written: string, subfolder: string): RawRepository | null {
  const [project = '', tree = ''] = written.split('/-/tree/');
  const names = project
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split('/');
  if (names.length < 2 || names.length > 10 || !names.every(isName)) return null;
  const [ref = '', ...path] = tree.split('/');
  const folder = folderOf(subfolder || path.join('/'));
  if (folder === null) return null;
  return {
    host: 'gitlab',
    folder,
    fileAt: (path) => `${gitlab}/${names.join('/')}/-/raw/${REF.test(ref) ? ref : 'HEAD'}/${encoded(path)}`,
  };
}

const isName = (name: string): boolean => SEGMENT.test(name) && name !== '.' && name !== '..';

function folderOf(path: string): string | null {
  const segments = path
    .slice(0, 500)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? null : segments.join('/');
}

const encoded = (path: string): string => path.toWellFormed().split('/').map(encodeURIComponent).join('/');

/** In this order; in the folder of the listing first. */
export const README_NAMES = ['README.md', 'readme.md'];
export const LICENSE_NAMES = ['LICENSE', 'LICENSE.md'];

export const inFolders = (folder: string, names: readonly string[]): string[] => [
  ...(folder === '' ? [] : names.slice(0, 1).map((name) => `${folder}/${name}`)),
  ...names,
];

/** Where skills of this name are by custom. */
export const skillPaths = (folder: string, name: string): string[] =>
  /^[\w.-]{1,100}$/.test(name)
    ? [
        `${folder === '' ? 'skills' : folder}/${name}/SKILL.md`,
        `${name}/SKILL.md`,
        `.claude/skills/${name}/SKILL.md`,
        'SKILL.md',
      ]
    : [];
