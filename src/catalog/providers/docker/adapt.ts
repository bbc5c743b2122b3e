import { firstOf, githubOwner, url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { digestOf, installOf } from './installs.ts';
import { CatalogEntry, SourceEntry } from './wire.ts';

/** The entry called `name` in `registry`. A catalogue built from the repository's files may carry them as they are. */
export const adaptEntry = (name: string, raw: unknown): Adapted =>
  member(raw, 'about') === undefined
    ? adaptRecord(
        CatalogEntry,
        raw,
        (it) => fromCatalog(name, it),
        () => name,
      )
    : adaptSource(raw);

/** One `servers/<name>/server.yaml`; it tells no time. */
export const adaptSource = (raw: unknown): Adapted =>
  adaptRecord(SourceEntry, raw, fromSource, (it) => member(it, 'name'));

const fromCatalog = (name: string, it: CatalogEntry): Adapted => {
  const { metadata } = it;
  const source = firstOf(url(it.upstream), repositoryOf(url(it.source)));
  return toListing('docker', {
    external_id: name,
    listing_type: 'server',
    execution_class: 'mcp',
    name: it.title,
    description: it.description,
    version: digestOf(it.image),
    author: metadata?.owner?.trim() || githubOwner(source) || 'docker',
    homepage: [source, it.remote?.url],
    repository: source,
    license: metadata?.license,
    // Docker Hub's own `stars` count something else than those of the repository.
    downloads: metadata?.pulls,
    stars: metadata?.githubStars,
    tags: labels(metadata),
    install: installOf(it),
    record: it,
  });
};

const fromSource = (it: SourceEntry): Adapted => {
  const project = it.source?.project;
  return toListing('docker', {
    external_id: it.name,
    listing_type: 'server',
    execution_class: 'mcp',
    name: it.about.title,
    description: it.about.description,
    version: it.source?.commit?.slice(0, 12) || digestOf(it.image),
    author: githubOwner(project) || 'docker',
    homepage: [project, it.remote?.url],
    repository: project,
    tags: labels(it.meta),
    install: installOf({
      image: it.image ?? null,
      remote: it.remote ?? null,
      secrets: it.config?.secrets ?? null,
      env: [...(it.config?.env ?? []), ...fixedVariables(it.run?.env)],
      config: [it.config?.parameters],
      command: it.run?.command ?? null,
      volumes: it.run?.volumes,
      allowHosts: it.run?.allowHosts,
      disableNetwork: it.run?.disableNetwork,
      user: it.run?.user,
    }),
    record: it,
  });
};

/** `run.env` of the repository's form: values that are the same for everybody. */
const fixedVariables = (env: unknown) =>
  Object.entries(typeof env === 'object' && env !== null && !Array.isArray(env) ? env : {}).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [{ name, value: value as string }] : [],
  );

const labels = (from: { tags?: unknown[] | null; category?: string | null } | null | undefined): string[] =>
  [...(from?.tags ?? []), from?.category ?? ''].map(String);

// `source` points into a tree at a revision; the repository is what is before it.
const repositoryOf = (address: string): string => address.replace(/\/(?:tree|blob)\/.*/s, '');
