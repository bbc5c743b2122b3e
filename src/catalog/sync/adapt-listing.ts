import type { Install } from '#catalog/items/item.ts';
import type { ExecutionClass, ListingType, ProviderId } from '#catalog/items/kinds.ts';
import { count, externalId, firstOf, isCount, MAX, manifest, tags, text, time, url } from './adapt-fields.ts';
import { rejected } from './adapt-record.ts';
import type { Adapted } from './provider.ts';
import { verdictsOf } from './verdicts-of.ts';

/** What an adapter picked out of a record, uncleaned. What is left out was not reported. */
export interface Picked {
  external_id: unknown;
  listing_type: ListingType;
  execution_class: ExecutionClass;
  name: unknown;
  description?: unknown;
  version?: unknown;
  author?: unknown;
  /** Candidates, best first: the first usable address is taken. */
  homepage?: readonly unknown[];
  repository?: unknown;
  license?: unknown;
  downloads?: unknown;
  stars?: unknown;
  tags?: unknown;
  updated_at?: unknown;
  install?: Install | null;
  aliases?: readonly unknown[];
  /** The provider's own record. */
  record: unknown;
  /** Where the provider's verdicts are, if not in its record. */
  judged?: unknown;
}

/** Every field cleaned and capped; a record without a usable id is rejected, one without a name goes by its id. */
export const toListing = (provider: ProviderId, it: Picked): Adapted => {
  const id = externalId(it.external_id);
  if (id === null) return rejected(it.record, null, 'external_id: empty, longer than 512, or not plain text');
  const updatedAt = time(it.updated_at);
  const verdicts = verdictsOf(provider, it.judged ?? it.record);
  return {
    kind: 'listing',
    listing: {
      name: firstOf(text(it.name, MAX.name), text(id, MAX.name)),
      description: text(it.description, MAX.description),
      version: text(it.version, MAX.version),
      author: text(it.author, MAX.author),
      homepage: firstOf(...(it.homepage ?? []).map(url)),
      downloads: count(it.downloads),
      stars: count(it.stars),
      tags: tags(it.tags),
      source: provider,
      listing_type: it.listing_type,
      external_id: id,
      provider_id: provider,
      external_updated_at: updatedAt,
      execution_class: it.execution_class,
      license: text(it.license, MAX.license),
      repository: url(it.repository),
      install: manifest(it.install),
      manifest: manifest(it.record),
      reported: { downloads: isCount(it.downloads), stars: isCount(it.stars), updated_at: updatedAt !== null },
      ...(verdicts.length === 0 ? {} : { verdicts }),
      aliases: aliasesOf(it.aliases ?? [], id),
    },
  };
};

const aliasesOf = (candidates: readonly unknown[], id: string): string[] => {
  const ids = new Set(candidates.map(externalId));
  ids.delete(null);
  ids.delete(id);
  return [...ids] as string[];
};
