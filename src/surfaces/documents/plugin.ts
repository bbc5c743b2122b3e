import type { ListingRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { oneLine, shortened } from '#surfaces/interop/shown-text.ts';

/** A listing of claude-plugins as an entry of marketplace.json. */

export interface Plugin {
  name: string;
  source: Record<string, string>;
  [more: string]: unknown;
}

/** Null if it cannot be fetched from here, or has an invalid name. */
export function pluginOf(row: ListingRow): Plugin | null {
  const install = objectOf(row.install);
  const source = sourceOf(objectOf(JSON.stringify(install.source ?? null)), text(install.marketplace));
  const name = row.external_id.slice(0, row.external_id.lastIndexOf('@'));
  if (source === null || !isPluginName(name)) return null;
  const author = oneLine(row.author);
  return {
    name,
    source,
    ...filled({
      description: shortened(row.description, 500),
      version: oneLine(row.version),
      homepage: row.homepage,
      repository: row.repository,
      license: oneLine(row.license),
    }),
    ...defined({ author: author === '' ? undefined : { name: author } }),
    ...keywordsOf(row.tags),
    ...partsOf(objectOf(row.manifest)),
  };
}

export const isPluginName = (name: string): boolean =>
  /^[a-z0-9]+(?:[-._][a-z0-9]+)*$/i.test(name) && name.length <= 100;

function keywordsOf(tags: string): { keywords?: string[] } {
  const keywords = (JSON.parse(tags) as string[]).map(oneLine).filter(Boolean);
  return keywords.length === 0 ? {} : { keywords };
}

/** The source of the files. A plugin inside its marketplace's repository becomes a subdirectory of that repository. */
function sourceOf(place: Record<string, unknown>, catalog: string): Record<string, string> | null {
  const { kind } = place;
  const [path, ref, sha] = [text(place.path).replace(/^\.?\/+|\/+$/g, ''), text(place.ref), text(place.sha)];
  const pinned = filled({ ref, sha: /^[0-9a-f]{40}$/.test(sha) ? sha : '' });
  if (/(^|\/)\.\.(\/|$)|[\\\0]/.test(path) || ref.startsWith('-')) return null;
  if (kind === 'npm') return isPackage(text(place.package)) ? { source: 'npm', package: text(place.package) } : null;
  const repository = kind === 'relative' ? `https://github.com/${catalog}` : text(place.repository);
  if ((kind !== 'git' && kind !== 'relative') || !/^https:\/\/[\w.-]+\/[\w./~-]+$/.test(repository)) return null;
  const github = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)\/?$/.exec(repository)?.[1];
  const url = `${repository.replace(/\/$/, '').replace(/\.git$/, '')}.git`;
  if (path !== '' && path !== '.') return { source: 'git-subdir', url, path, ...pinned };
  return github === undefined ? { source: 'url', url, ...pinned } : { source: 'github', repo: github, ...pinned };
}

const isPackage = (name: string): boolean => /^(@[\w.-]+\/)?[\w.-]+$/.test(name);

/**
 * Fields that a marketplace can set instead of the plugin's own manifest; without them, such plugins would be empty.
 */
const PARTS = ['strict', 'category', 'skills', 'commands', 'agents', 'hooks', 'mcpServers', 'lspServers'] as const;

const partsOf = (manifest: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(PARTS.flatMap((name) => (manifest[name] == null ? [] : [[name, manifest[name]]])));

const filled = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function objectOf(json: string | null): Record<string, unknown> {
  const value: unknown = json === null ? null : JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
