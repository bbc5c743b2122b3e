import { githubOwner, url } from '#catalog/sync/adapt-fields.ts';
import type { Plugin, PluginSource } from './wire.ts';

/** Where a plugin's files are, normalized from the marketplaces' different forms. */
export interface PluginPlace {
  /** `relative` means inside the marketplace's repository. */
  kind: 'git' | 'npm' | 'relative' | 'unknown';
  /** Web page or Git address (http or https) of the repository, or ''. */
  repository: string;
  /** Account of the repository, or '' if unknown. */
  owner: string;
  path: string;
  ref: string;
  sha: string;
  package: string;
}

/** `catalog` is the marketplace's repository, `owner/repo`. */
export function placeOf(source: Plugin['source'], catalog: string): PluginPlace {
  if (typeof source === 'string') return relative(source, catalog);
  const address = repositoryOf(source);
  const place = {
    repository: address,
    owner: githubOwner(address),
    path: source.path ?? '',
    ref: source.ref ?? '',
    sha: source.sha ?? '',
    package: source.package ?? '',
  };
  if (source.source === 'local') return relative(place.path, catalog);
  if (source.source === 'npm') return { ...place, kind: 'npm', owner: scopeOf(place.package) };
  return { ...place, kind: address === '' ? 'unknown' : 'git' };
}

const relative = (path: string, catalog: string): PluginPlace => ({
  kind: 'relative',
  repository: `https://github.com/${catalog}`,
  // The marketplace's owner is not necessarily the author.
  owner: '',
  path: path.replace(/^\.\//, ''),
  ref: '',
  sha: '',
  package: '',
});

const SHORT = /^[A-Za-z0-9][\w-]*\/[\w.-]+$/;

function repositoryOf({ url: address, repo }: PluginSource): string {
  for (const candidate of [address?.trim() ?? '', repo?.trim() ?? '']) {
    if (SHORT.test(candidate)) return `https://github.com/${candidate.replace(/\.git$/, '')}`;
    const ssh = /^(?:ssh:\/\/)?git@github\.com[:/](.+)$/.exec(candidate)?.[1];
    const plain = url((ssh === undefined ? candidate : `https://github.com/${ssh}`).replace(/^git\+/, '')).replace(
      /\.git$/,
      '',
    );
    if (plain !== '') return plain;
  }
  return '';
}

const scopeOf = (name: string): string => /^@([^/]+)\//.exec(name)?.[1] ?? '';
