import type { ListingRow } from '#core/db/schema.ts';
import type { SkillWish } from './pick-skill.ts';

/** Where the files of a listing are, from the install instructions of its provider. Pure. */

export type BundleSource =
  | { kind: 'clawhub'; owner: string; slug: string; version: string }
  | ({ kind: 'github'; owner: string; repo: string; ref: string } & SkillWish);

type Listed = Pick<ListingRow, 'provider_id' | 'external_id' | 'version' | 'repository' | 'install'>;
type Install = Record<string, unknown>;

/** Or a sentence that explains why its files are unavailable. */
export function sourceOf(row: Listed): BundleSource | { unsupported: string } {
  if (row.install === null) return { unsupported: 'Its provider does not say where its files are.' };
  const install = JSON.parse(row.install) as Install;
  switch (row.provider_id) {
    case 'clawhub':
      return clawhubSource(row, install);
    case 'skills-sh':
      return githubSource(textOf(install.source), { name: textOf(install.skill), under: '' });
    case 'smithery':
      return githubSource(textOf(install.git_url), { name: lastOf(row.external_id), under: '' });
    case 'claude-plugins':
      return pluginSource(install);
    case 'gemini-extensions':
      return githubSource(textOf(install.source), { name: '', under: '' });
    default:
      return { unsupported: `${row.provider_id} does not say where the files of this listing are.` };
  }
}

/** Why the files of a listing are not available; null if they are. */
export function whyNoFiles(row: Listed): string | null {
  const source = sourceOf(row);
  return 'unsupported' in source ? source.unsupported : null;
}

function clawhubSource(row: Listed, install: Install): BundleSource | { unsupported: string } {
  const [owner, slug] = [textOf(install.owner), textOf(install.slug)];
  if (install.type !== 'clawhub-skill' || owner === '' || slug === '')
    return { unsupported: 'This is a plugin or an agent, not a skill. Its files are for another program.' };
  return { kind: 'clawhub', owner, slug, version: row.version };
}

function pluginSource(install: Install): BundleSource | { unsupported: string } {
  const place = (install.source ?? {}) as Install;
  if (place.kind !== 'git' && place.kind !== 'relative')
    return {
      unsupported: 'Its files are in a package registry or at an unknown place. Only files on GitHub are fetched.',
    };
  const ref = textOf(place.sha) || textOf(place.ref);
  return githubSource(textOf(place.repository), { name: '', under: textOf(place.path) }, ref);
}

const GITHUB = /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([\w.-]{1,100})(?:\/(.*))?$/;
const REF = /^[A-Za-z0-9][\w./-]{0,199}$/;

/** Also understands an address that points into the repository: `…/tree/<ref>/<path>`. */
export function githubSource(address: string, wish: SkillWish, ref = ''): BundleSource | { unsupported: string } {
  const [, owner, written = '', rest = ''] = GITHUB.exec(address.replace(/[?#].*/s, '')) ?? [];
  const repo = written.replace(/\.git$/, '');
  const elsewhere = {
    unsupported: 'Its files are not on GitHub, or their place is unknown. Only files on GitHub are fetched.',
  };
  if (owner === undefined || repo === '' || repo === '.' || repo === '..') return elsewhere;
  const [, tree, path = ''] = /^(?:tree|blob)\/([^/]+)\/?(.*)$/.exec(rest) ?? [];
  const chosen = ref || tree || 'HEAD';
  const under = cleanPath(wish.under || path.replace(/\/?SKILL\.md$/i, ''));
  if (!REF.test(chosen) || chosen.includes('..') || under === null)
    return { unsupported: 'Its place on GitHub is written in a form that cannot be followed.' };
  return { kind: 'github', owner, repo, ref: chosen, under, name: wish.name };
}

function cleanPath(path: string): string | null {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? null : segments.join('/');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** The same for the same files, wherever it is asked. */
export const sourceKey = (source: BundleSource): string => JSON.stringify(source);

/** Whether the content at the source can change. */
export const isPinned = (source: BundleSource): boolean =>
  source.kind === 'github' && /^[0-9a-f]{40}$/.test(source.ref);
