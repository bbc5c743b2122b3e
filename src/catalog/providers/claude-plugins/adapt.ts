import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { firstOf, MAX, text } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { type PluginPlace, placeOf } from './source.ts';
import { type Marketplace, Plugin } from './wire.ts';

/** The marketplace of a plugin. */
interface Context {
  name: string;
  /** `owner/repo` of the marketplace file. */
  catalog: string;
  owner: string;
  /** By plugin name: its former names. */
  former: ReadonlyMap<string, readonly string[]>;
}

/** What all plugins of a marketplace share. `catalog` is the repository `owner/repo` of the file. */
export const contextOf = (marketplace: Marketplace, catalog: string): Context => ({
  name: marketplace.name,
  catalog,
  owner: firstOf(text(marketplace.owner?.name, 200), catalog.split('/')[0] ?? ''),
  former: formerNames(marketplace),
});

/** One plugin as a harness. Marketplaces report no downloads, stars or times. */
export const adaptPlugin = (raw: unknown, context: Context): Adapted =>
  adaptRecord(
    Plugin,
    raw,
    (plugin) => listingOf(plugin, context),
    (raw) => idIn(context, member(raw, 'name')),
  );

const idIn = (context: Context, name: unknown): string | null =>
  typeof name === 'string' && name !== '' ? `${name}@${context.name}` : null;

function listingOf(plugin: Plugin, context: Context): Adapted {
  const place = placeOf(plugin.source, context.catalog);
  return toListing('claude-plugins', {
    external_id: idIn(context, plugin.name),
    listing_type: 'harness',
    execution_class: executionClass(plugin),
    name: text(member(plugin, 'displayName'), MAX.name) || plugin.name,
    description: plugin.description,
    version: plugin.version || pinnedVersion(plugin, place),
    author: firstOf(authorOf(plugin), place.owner, context.owner),
    homepage: [plugin.homepage, repositoryOf(plugin), place.kind === 'relative' ? '' : place.repository],
    repository: firstOf(repositoryOf(plugin), place.repository),
    license: plugin.license,
    facts: {
      title: member(plugin, 'displayName'),
      icons: member(plugin, 'icon') ?? member(plugin, 'logo'),
      repository: { subfolder: place.path },
      versions: [{ version: plugin.version || pinnedVersion(plugin, place) }],
    },
    tags: [plugin.category, ...(plugin.keywords ?? []), ...(plugin.tags ?? [])],
    install: {
      type: 'claude-plugin',
      marketplace: context.catalog,
      plugin: idIn(context, plugin.name),
      source: place,
    },
    aliases: (context.former.get(plugin.name) ?? []).map((name) => idIn(context, name)),
    record: plugin,
  });
}

const authorOf = ({ author }: Plugin): string => text(typeof author === 'string' ? author : author?.name, 200);

const repositoryOf = ({ repository }: Plugin): string =>
  (typeof repository === 'string' ? repository : repository?.url) ?? '';

const pinnedVersion = ({ source }: Plugin, { sha }: PluginPlace): string =>
  sha.slice(0, 12) || (typeof source === 'object' ? (source.version ?? '') : '');

function executionClass({ mcpServers, hooks }: Plugin): ExecutionClass {
  if (isSome(mcpServers)) return 'mcp';
  return isSome(hooks) ? 'scripted' : 'prompt';
}

const isSome = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** Inverts `renames`, following chains to the end. A name that is still in use is not an alias. */
function formerNames({ renames, plugins }: Marketplace): Map<string, string[]> {
  const current = new Set(plugins.map((plugin) => member(plugin, 'name')));
  const former = new Map<string, string[]>();
  for (const old of Object.keys(renames ?? {})) {
    const now = current.has(old) ? null : followed(renames ?? {}, old);
    if (now !== null && current.has(now)) former.set(now, [...(former.get(now) ?? []), old]);
  }
  return former;
}

function followed(renames: Record<string, unknown>, old: string): string | null {
  const seen = new Set<string>();
  let name = old;
  while (Object.hasOwn(renames, name) && !seen.has(name)) {
    const next = renames[name];
    if (typeof next !== 'string') return null;
    seen.add(name);
    name = next;
  }
  return seen.has(name) ? null : name;
}
