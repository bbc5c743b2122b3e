import { webAddress } from '#core/outbound/web-address.ts';
import { isPlainName, packageEntryOf } from './install-entry.ts';
import { remoteOf } from './remote-of.ts';
import { remotesOf } from './remotes.ts';

/** How to install a listing, in a few words for a search result. Contains no characters that are special in a shell. */

const MOST_CHARACTERS = 160;

/** The hint from a listing's `install` as JSON, for the index: an address or a package; '' if there is neither. */
export function storedHint(install: string | null): string {
  // Most listings are skills, whose command is derived from their id.
  if (install === null || !/"(?:remotes|packages|git_url)"/.test(install)) return '';
  const parsed = JSON.parse(install) as Record<string, unknown>;
  const hint = remoteHint(parsed) || packageHint(parsed) || repositoryHint(parsed);
  return hint.length <= MOST_CHARACTERS ? hint : '';
}

function remoteHint(install: Record<string, unknown>): string {
  const target = remoteOf(install);
  if ('url' in target) return webAddress(target.url) === null ? '' : `remote ${target.url}`;
  const [first] = remotesOf(install);
  if (first === undefined || webAddress(first.url) === null) return '';
  return `remote ${first.url} (${target.reason === 'auth_needed' ? 'sign-in' : 'settings'} needed)`;
}

function packageHint(install: Record<string, unknown>): string {
  const entry = packageEntryOf(install);
  if (entry === null) return '';
  const words = [entry.command, ...entry.args];
  // The hint ends before an argument that needs quoting or a value; the detail has all of them.
  const end = words.findIndex((word) => !/^[@A-Za-z0-9._/:+~=,-]+$/.test(word));
  return (end === -1 ? words : words.slice(0, end)).join(' ');
}

const GITHUB = /^https:\/\/github\.com\/([A-Za-z0-9-]+\/[\w.-]+?)(?:\.git|\/.*)?$/;

function repositoryHint({ git_url }: Record<string, unknown>): string {
  const repository = typeof git_url === 'string' ? GITHUB.exec(git_url)?.[1] : undefined;
  return repository === undefined ? '' : `npx skills add ${repository}`;
}

export interface Had {
  provider_id: string;
  external_id: string;
  listing_type: string;
}

/** The stored hint, or one derived from the id; '' if only the detail has instructions. */
export function installHint({ provider_id, external_id: id, listing_type }: Had, stored: string): string {
  if (stored !== '' || !isPlainName(id)) return stored;
  switch (provider_id) {
    case 'skills-sh': {
      const [, repository, skill] = /^([^/]+\/[^/]+)\/([^/]+)$/.exec(id) ?? [];
      return repository === undefined ? '' : `npx skills add ${repository} --skill ${skill}`;
    }
    case 'clawhub':
      if (listing_type !== 'skill') return `openclaw plugins install clawhub:${id}`;
      return /^[^@/]+\/[^/]+$/.test(id) ? `openclaw skills install @${id}` : '';
    case 'smithery':
      return listing_type === 'server' ? `npx -y @smithery/cli mcp add ${id}` : '';
    case 'docker':
      return `docker mcp server enable ${id}`;
    case 'claude-plugins':
      return `/plugin install ${id}`;
    case 'gemini-extensions':
      return `gemini extensions install https://github.com/${id}`;
    default:
      return '';
  }
}
