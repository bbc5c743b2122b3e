import { firstOf, githubOwner, url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { digestOf, installOf } from './installs.ts';
import { CatalogEntry, SourceEntry } from './wire.ts';

/** Adapts the entry `name` of `registry`. Catalogs built from the repository may have entries in its form. */
export const adaptEntry = (name: string, raw: unknown): Adapted =>
  member(raw, 'about') === undefined
    ? adaptRecord(
        CatalogEntry,
        raw,
        (catalogEntry) => fromCatalog(name, catalogEntry),
        () => name,
      )
    : adaptSource(raw);

/** Adapts one `servers/<name>/server.yaml`, which has no times. */
export const adaptSource = (raw: unknown): Adapted =>
  adaptRecord(SourceEntry, raw, fromSource, (raw) => member(raw, 'name'));

function fromCatalog(name: string, catalogEntry: CatalogEntry): Adapted {
  const { metadata } = catalogEntry;
  const source = firstOf(url(catalogEntry.upstream), repositoryOf(url(catalogEntry.source)));
  return toListing('docker', {
    external_id: name,
    listing_type: 'server',
    execution_class: 'mcp',
    name: catalogEntry.title,
    description: catalogEntry.description,
    version: digestOf(catalogEntry.image),
    author: metadata?.owner?.trim() || githubOwner(source) || 'docker',
    homepage: [source, catalogEntry.remote?.url],
    repository: source,
    license: metadata?.license,
    // `stars` are those on Docker Hub, not those of the repository.
    downloads: metadata?.pulls,
    stars: metadata?.githubStars,
    tags: labels(metadata),
    install: installOf(catalogEntry),
    facts: {
      title: catalogEntry.title,
      icons: member(catalogEntry, 'icon'),
      tools: member(catalogEntry, 'tools'),
      // An address in the catalog, the text in catalogs built from the repository.
      readme: member(catalogEntry, 'readme'),
    },
    record: catalogEntry,
  });
}

function fromSource(sourceEntry: SourceEntry): Adapted {
  const project = sourceEntry.source?.project;
  return toListing('docker', {
    external_id: sourceEntry.name,
    listing_type: 'server',
    execution_class: 'mcp',
    name: sourceEntry.about.title,
    description: sourceEntry.about.description,
    version: sourceEntry.source?.commit?.slice(0, 12) || digestOf(sourceEntry.image),
    author: githubOwner(project) || 'docker',
    homepage: [project, sourceEntry.remote?.url],
    repository: project,
    tags: labels(sourceEntry.meta),
    facts: {
      title: sourceEntry.about.title,
      icons: member(sourceEntry.about, 'icon'),
      repository: { subfolder: member(sourceEntry.source, 'directory') },
      tools: member(sourceEntry, 'tools'),
    },
    install: installOf({
      image: sourceEntry.image ?? null,
      remote: sourceEntry.remote ?? null,
      secrets: sourceEntry.config?.secrets ?? null,
      env: [...(sourceEntry.config?.env ?? []), ...fixedVariables(sourceEntry.run?.env)],
      config: [sourceEntry.config?.parameters],
      command: sourceEntry.run?.command ?? null,
      volumes: sourceEntry.run?.volumes,
      allowHosts: sourceEntry.run?.allowHosts,
      disableNetwork: sourceEntry.run?.disableNetwork,
      user: sourceEntry.run?.user,
    }),
    record: sourceEntry,
  });
}

/** `run.env` of the repository's form, which has fixed values. */
const fixedVariables = (env: unknown) =>
  Object.entries(typeof env === 'object' && env !== null && !Array.isArray(env) ? env : {}).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [{ name, value: value as string }] : [],
  );

const labels = (from: { tags?: unknown[] | null; category?: string | null } | null | undefined): string[] =>
  [...(from?.tags ?? []), from?.category ?? ''].map(String);

// `source` points into a tree at a revision; the repository is the part before it.
const repositoryOf = (address: string): string => address.replace(/\/(?:tree|blob)\/.*/s, '');
