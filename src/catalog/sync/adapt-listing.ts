import type { Install } from '#catalog/items/item.ts';
import type { ExecutionClass, ListingType, ProviderId } from '#catalog/items/kinds.ts';
import { defined } from '#core/defined.ts';
import { factsOf } from './adapt-facts.ts';
import { count, externalId, firstOf, isCount, MAX, manifest, tags, text, time, url } from './adapt-fields.ts';
import { rejected } from './adapt-record.ts';
import type { PickedFacts } from './picked-facts.ts';
import type { Adapted } from './provider.ts';
import { verdictsOf } from './verdicts-of.ts';

/** Unsanitized fields that an adapter takes from a record. Missing fields were not reported. */
export interface Picked {
  external_id: unknown;
  listing_type: ListingType;
  execution_class: ExecutionClass;
  name: unknown;
  description?: unknown;
  version?: unknown;
  author?: unknown;
  /** Candidates, best first. The first valid address is used. */
  homepage?: readonly unknown[];
  repository?: unknown;
  license?: unknown;
  downloads?: unknown;
  stars?: unknown;
  tags?: unknown;
  updated_at?: unknown;
  install?: Install | null;
  aliases?: readonly unknown[];
  facts?: PickedFacts;
  /** The provider's own record. */
  record: unknown;
  /** The object that holds the provider's verdicts, if not the record. */
  judged?: unknown;
}

/** Sanitizes every field. A record without a valid id is rejected; one without a name is named by its id. */
export function toListing(provider: ProviderId, picked: Picked): Adapted {
  const id = externalId(picked.external_id);
  if (id === null) return rejected(picked.record, null, 'external_id: empty, longer than 512, or not plain text');
  const updatedAt = time(picked.updated_at);
  const { facts, readme } = factsOf(picked.facts ?? {});
  const verdicts = verdictsOf(provider, picked.judged ?? picked.record);
  return {
    kind: 'listing',
    listing: {
      name: firstOf(text(picked.name, MAX.name), text(id, MAX.name)),
      description: text(picked.description, MAX.description),
      version: text(picked.version, MAX.version),
      author: text(picked.author, MAX.author),
      homepage: firstOf(...(picked.homepage ?? []).map(url)),
      downloads: count(picked.downloads),
      stars: count(picked.stars),
      tags: tags(picked.tags),
      source: provider,
      listing_type: picked.listing_type,
      external_id: id,
      provider_id: provider,
      external_updated_at: updatedAt,
      execution_class: picked.execution_class,
      license: text(picked.license, MAX.license),
      repository: url(picked.repository),
      install: manifest(picked.install),
      manifest: manifest(picked.record),
      reported: { downloads: isCount(picked.downloads), stars: isCount(picked.stars), updated_at: updatedAt !== null },
      ...defined({
        verdicts: verdicts.length === 0 ? undefined : verdicts,
        facts: facts ?? undefined,
        readme: readme || undefined,
      }),
      aliases: aliasesOf(picked.aliases ?? [], id),
    },
  };
}

function aliasesOf(candidates: readonly unknown[], id: string): string[] {
  const ids = new Set(candidates.map(externalId));
  ids.delete(null);
  ids.delete(id);
  return [...ids] as string[];
}
