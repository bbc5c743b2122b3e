import type { Item } from '#catalog/items/item.ts';
import { OWN_SOURCE, type OwnItem } from '#catalog/items/own-listings.ts';
import { liveRegistry, registryStateOf } from '#catalog/search/build/live-index.ts';
import { capabilityBuilder } from '#catalog/search/index/capability-builder.ts';
import { segmentBuilder } from '#catalog/search/index/segment-builder.ts';
import { type ListingSearch, openListingSearch } from '#catalog/search/listing-search.ts';
import { listViewOf } from '#catalog/search/query/list-view.ts';
import { marketplaceViewOf } from '#catalog/search/query/marketplace-view.ts';
import type { SearchedViews } from '#catalog/search/query/ranked-listings.ts';
import { builtInMember } from '#marketplace/documents/built-in-skills.ts';
import { documentOf } from '#marketplace/documents/document.ts';
import { NOTHING_AGAINST } from '#marketplace/moderation/standing-of.ts';
import type { ShelfSkill } from '#runtime/skills/load-skills.ts';
import { documentOfItem } from './item-documents.ts';

/** Both indexes over listings, each as one capability, and over built-in skills. */

interface IndexedListing {
  item: Item | OwnItem;
  hint?: string;
  /** True: no capability has it yet. */
  is_unlinked?: boolean;
}

export function viewsOver(listings: readonly IndexedListing[], skills: readonly ShelfSkill[] = []): SearchedViews {
  const [list, capabilities] = [segmentBuilder(), capabilityBuilder()];
  for (const [at, { item, hint, is_unlinked = false }] of listings.entries()) {
    if (item.provider_id !== OWN_SOURCE) list.add(item, hint);
    if (!is_unlinked) capabilities.add(documentOfItem(item, at));
  }
  const known = { score: null, standing: NOTHING_AGAINST, featured: null, publisher: null, overrules: new Map() };
  const facts = { ...known, has_model: false };
  for (const member of skills.map(builtInMember)) capabilities.add(documentOf(member.id, [member], facts));
  const base = capabilities.finish().segment;
  return {
    list: listViewOf(registryStateOf(liveRegistry(list.finish()), 'v'), null),
    market: marketplaceViewOf({ base, deleted: null, delta: null, version: 'v', is_whole: true }, null),
  };
}

export function searchIn({ list, market }: SearchedViews): ListingSearch {
  return openListingSearch({
    catalog: { isReady: true, view: () => list },
    index: { view: () => market, aid: () => null },
  });
}

export const searchOver = (items: readonly (Item | OwnItem)[], skills: readonly ShelfSkill[] = []): ListingSearch =>
  searchIn(
    viewsOver(
      items.map((item) => ({ item })),
      skills,
    ),
  );
