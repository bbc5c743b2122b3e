import { type Facts, readmeDigest } from '#catalog/items/facts.ts';
import type { Listing } from '#catalog/items/item.ts';
import { factsOf } from '#catalog/sync/adapt-facts.ts';
import { firstOf, MAX, manifest, tags, text, url } from '#catalog/sync/adapt-fields.ts';
import { defined } from '#core/defined.ts';

/**
 * Cleans an imported listing as a sync cleans a record, because a file may come from anywhere. What an export of a clean listing has
 * stays as it is.
 */
export function cleaned(listing: Listing): Listing {
  const { facts, readme = '', ...rest } = listing;
  return {
    ...rest,
    name: firstOf(text(listing.name, MAX.name), text(listing.external_id, MAX.name)),
    description: text(listing.description, MAX.description),
    version: text(listing.version, MAX.version),
    author: text(listing.author, MAX.author),
    homepage: url(listing.homepage),
    tags: tags(listing.tags),
    license: text(listing.license, MAX.license),
    repository: url(listing.repository),
    install: manifest(listing.install),
    manifest: manifest(listing.manifest),
    ...cleanFacts(facts ?? {}, readme),
  };
}

/** The digest follows from the text that is in the line. */
function cleanFacts(listed: Facts, readme: string): Pick<Listing, 'facts' | 'readme'> {
  const { facts } = factsOf({
    ...listed,
    tools: listed.tools?.map(({ input_schema, ...tool }) => ({ ...tool, inputSchema: input_schema })),
    readme: listed.readme?.url,
  });
  const clean = factsOf({ readme }).readme;
  const named = defined({ url: facts?.readme?.url, digest: clean === '' ? undefined : readmeDigest(clean) });
  const { readme: _, ...others } = facts ?? {};
  const all: Facts = { ...others, ...defined({ readme: Object.keys(named).length === 0 ? undefined : named }) };
  return defined({ facts: Object.keys(all).length === 0 ? undefined : all, readme: clean || undefined });
}
