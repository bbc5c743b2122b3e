import type { Static } from 'typebox';
import { membersOf } from '#catalog/identity/capabilities.ts';
import { mergeMembers } from '#catalog/identity/survivorship.ts';
import { EXECUTION_CLASSES, LISTING_TYPES } from '#catalog/items/kinds.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { Type } from '#core/json-schema/type.ts';
import { publishersOf } from '#marketplace/claims/publishers-of.ts';
import { documentOf } from '#marketplace/documents/document.ts';
import { readFacts } from '#marketplace/documents/read-documents.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { CarriedItem } from './carried.ts';
import { type FeaturedStanding, listFeaturedRows } from './featured.ts';

/** Featured capabilities as responses show them. */

const text = Type.String();

export const FeaturedItem = Type.Object({
  id: Type.String({ description: 'Capability id; `skill/<name>` for a built-in skill.' }),
  name: text,
  description: text,
  author: text,
  version: text,
  license: text,
  listing_type: Type.Enum([...LISTING_TYPES]),
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  tags: Type.Array(text),
  sources: Type.Array(Type.Object({ provider: text, external_id: text })),
  publisher: Type.Union([Type.Object({ id: text, name: text, by: text }), Type.Null()], {
    description: 'Its publisher here, or the owner of its claim.',
  }),
  reason: Type.Object({
    kind: Type.Enum(['curated', 'automatic']),
    text,
    by: Type.Enum(['operator', 'proof', 'service'], {
      description: '`operator`: chosen manually. `proof`: by runs here. `service`: a built-in skill.',
    }),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Lower values come first. Null unless `by` is `operator`.',
    }),
    since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  }),
  links: Type.Object({ self: text }),
});
export type FeaturedItem = Static<typeof FeaturedItem>;

type ShownCapability = Omit<FeaturedItem, 'reason'>;

/** Capabilities by id, without those that are flagged, taken down or gone. */
export async function shownCapabilities(
  deps: Pick<MarketplaceDeps, 'db' | 'engine'>,
  ids: readonly string[],
): Promise<Map<string, ShownCapability>> {
  const connection = connectionOver(deps.db, deps.engine);
  const members = Map.groupBy(await membersOf(connection, ids), (member) => member.stands_id);
  const [factsOf, publishers] = [await readFacts(connection, ids), await publishersOf(connection, ids)];
  const shown = ids.flatMap((id): [string, ShownCapability][] => {
    const listings = members.get(id);
    // Capabilities that have been flagged or taken down since are not shown.
    if (listings === undefined || factsOf(id).standing.takedown !== null) return [];
    const { flagged } = documentOf(id, listings, factsOf(id)).wire;
    if (flagged) return [];
    const { name, description, author, version, license, listing_type, execution_class, tags, sources } =
      mergeMembers(listings);
    const { since: _, ...publisher } = publishers.get(id) ?? { since: '', id: '', name: '', by: '' };
    const item = {
      id,
      name,
      description,
      author,
      version,
      license,
      listing_type,
      execution_class,
      tags,
      sources: sources.map(({ provider, external_id }) => ({ provider, external_id })),
      publisher: publisher.id === '' ? null : publisher,
      links: { self: `/api/marketplace/listings/${id}` },
    };
    return [[id, item]];
  });
  return new Map(shown);
}

/** If fewer are featured, built-in skills fill the list. */
const LEAST = 6;

export async function readFeatured(
  deps: Pick<MarketplaceDeps, 'db' | 'engine' | 'carried' | 'clock'>,
): Promise<FeaturedItem[]> {
  const now = new Date(deps.clock.now()).toISOString();
  const rows = (await listFeaturedRows(deps.db)).filter(({ until }) => until === null || until > now);
  const ids = [...new Set(rows.map(({ stands_id }) => stands_id))];
  const shown = await shownCapabilities(deps, ids);
  const items = ids.flatMap((id): FeaturedItem[] => {
    const row = rows.find(({ stands_id }) => stands_id === id) as FeaturedStanding;
    const item = shown.get(id);
    return item === undefined ? [] : [{ ...item, reason: reasonOf(row) }];
  });
  if (items.length >= LEAST) return items;
  return [...items, ...(await deps.carried()).slice(0, LEAST - items.length).map(carriedItem)];
}

const reasonOf = ({ origin, reason, place, since, until }: FeaturedStanding): FeaturedItem['reason'] => ({
  kind: origin as 'curated',
  text: reason,
  by: origin === 'curated' ? 'operator' : 'proof',
  position: origin === 'curated' ? place : null,
  since,
  until,
});

const carriedItem = ({ name, description, version, license, execution_class }: CarriedItem): FeaturedItem => ({
  id: `skill/${name}`,
  name,
  description,
  author: 'capstan',
  version,
  license,
  listing_type: 'skill',
  execution_class: execution_class as 'scripted',
  tags: [],
  sources: [],
  publisher: null,
  reason: {
    kind: 'automatic',
    by: 'service',
    position: null,
    since: null,
    until: null,
    text: 'Built-in skill: runs here and is tested with each release.',
  },
  links: { self: `/api/skills/${name}` },
});
