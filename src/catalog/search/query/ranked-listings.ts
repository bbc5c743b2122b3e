import { fold } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { OWN_SOURCE, type OwnItem, SOURCES } from '#catalog/items/own-listings.ts';
import { defined } from '#core/defined.ts';
import { hasBit } from '../index/bitset.ts';
import { idHash } from '../index/capability-builder.ts';
import { rowsWithId } from '../index/capability-segment.ts';
import type { ShownCapability } from '../index/document.ts';
import { findRow, keyOf } from '../index/key-table.ts';
import { readHint } from '../index/segment.ts';
import { type Aid, isAided } from './aid.ts';
import { type Filters, NO_FILTERS } from './filter.ts';
import { wordsFound } from './found-words.ts';
import { findPage } from './list.ts';
import { normalQuery } from './list-query.ts';
import { itemOfHit, type ListView, readerOfHit, rowOfHit } from './list-view.ts';
import { type SearchRequest, searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from './marketplace-view.ts';
import type { QueryPlan } from './query-plan.ts';

/**
 * Listings by relevance: the search of capabilities, with one listing of each. What is not linked to a capability yet is found by its id,
 * and by parts of words if nothing else is found.
 */

type Source = (typeof SOURCES)[number];

export interface ListingRequest {
  /** As the caller wrote it. */
  text: string;
  /** True: without corrections and translations. */
  as_typed?: boolean;
  /** Of all providers or of one, and of what is published here or not. */
  sources: readonly Source[];
  /** Whether built-in skills are found, too. They count as published here. */
  with_built_in: boolean;
  listing_type: string | null;
  execution_class: string | null;
  /** Folded. */
  tag: string | null;
  limit: number;
  offset: number;
}

/** Both indexes at one moment. */
export interface SearchedViews {
  market: MarketplaceView;
  list: ListView;
  /** What the operator's models say about the search that the views are for. */
  aid?: Aid | null;
}

export interface FoundListings {
  /** How many capabilities match, or how many listings if they were found by parts of words. */
  total_count: number;
  hits: ListingHit[];
  plan: QueryPlan;
  /** `all`: the best match has every word. */
  match: 'all' | 'some' | 'none';
}

export interface ListingHit {
  item: Item | OwnItem;
  /** How to install it (install-hint.ts). */
  hint: string;
  /** The row of its capability; null if the listing was found by its own id or by parts of words. */
  capability: number | null;
  /** How many other matches have its text. */
  copies: number;
}

export function rankListings(views: SearchedViews, request: ListingRequest): FoundListings {
  const { market, list, aid = null } = views;
  const { limit, offset } = request;
  const ids = unlinkedWithId(views, request);
  const end = offset + limit;
  const asked = { ...searchOf(request), limit: end, offset: 0 };
  const { total_count, hits, plan } = searchCapabilities(market, { ...asked, aid });
  if (ids.length === 0 && (total_count === 0 || !hasMatch(market, asked, aid))) {
    const parts = withParts(list, request, plan);
    // Before what only its meaning has found.
    if (total_count === 0 || parts.total_count > 0) return parts;
  }
  const before = ids.length;
  const ranked = hits.slice(Math.max(0, offset - before), Math.max(0, end - before));
  return {
    total_count: total_count + before,
    hits: [
      ...ids.slice(offset, end).map((hit) => listingAt(list, hit)),
      ...ranked.map(({ row, copies }) => ({ ...listingOf(views, request, row), copies })),
    ],
    plan,
    match: before > 0 || hasAllWords(market, plan, hits[0]?.row) ? 'all' : 'some',
  };
}

/** The search of capabilities that a request needs. */
export const searchOf = (request: Omit<ListingRequest, 'limit' | 'offset'>): SearchRequest => ({
  text: request.text,
  as_typed: request.as_typed ?? false,
  filters: filtersOf(request),
  sort: 'relevance',
  limit: 1,
  offset: 0,
});

/** Whether the words match anything. Without models, every result does. */
const hasMatch = (market: MarketplaceView, asked: SearchRequest, aid: Aid | null): boolean =>
  !isAided(aid) || searchCapabilities(market, { ...asked, limit: 1 }).total_count > 0;

const filtersOf = ({
  sources,
  with_built_in,
  listing_type,
  execution_class,
  tag,
}: Omit<ListingRequest, 'limit' | 'offset'>): Filters => ({
  ...NO_FILTERS,
  provider: sources.length === SOURCES.length ? null : sources,
  listing_type,
  execution_class,
  tag,
  ...defined({ built_in: with_built_in ? undefined : false }),
});

function hasAllWords(market: MarketplaceView, plan: QueryPlan, best: number | undefined): boolean {
  if (best === undefined || plan.unmatched.length > 0) return false;
  const found = new Set(wordsFound(market, plan, best).map(({ term }) => term));
  return plan.groups.every(({ term }) => found.has(term));
}

/** So many of a capability's places are looked at. */
const MOST_PLACES = 8;

type Place = ShownCapability['sources'][number];

/** The listing that shows a capability: the one that is asked for by its id, else the first that passes the filters. */
function listingOf({ market, list }: SearchedViews, request: ListingRequest, row: number): Omit<ListingHit, 'copies'> {
  const shown = capabilityOfHit(market, row);
  const places = shown.sources.filter(({ provider }) => request.sources.includes(provider));
  const id = fold(request.text.trim());
  const ordered = [...places.filter((place) => isNamed(place, id)), ...places];
  const known = ordered.slice(0, MOST_PLACES).flatMap((place) => listedAt(list, shown, place) ?? []);
  const fitting = known.find(({ item }) => fits(item, request));
  // A listing that has just been removed is still in its capability.
  const chosen = fitting ?? known[0] ?? { item: itemOf(shown, (places[0] ?? shown.sources[0]) as Place), hint: '' };
  return { ...chosen, item: ofClass(chosen.item, request, shown), capability: row };
}

const isNamed = ({ provider, external_id }: Place, id: string): boolean =>
  fold(external_id) === id || fold(`${provider}/${external_id}`) === id;

const fits = ({ execution_class, tags }: Item | OwnItem, request: ListingRequest): boolean =>
  (request.execution_class === null || request.execution_class === execution_class) &&
  (request.tag === null || tags.some((tag) => fold(tag) === request.tag));

/** A filter by class is about the capability, of which another provider may know more. */
const ofClass = (item: Item | OwnItem, { execution_class }: ListingRequest, shown: ShownCapability): Item | OwnItem =>
  execution_class === null || item.execution_class === execution_class
    ? item
    : { ...item, execution_class: shown.execution_class };

function listedAt(list: ListView, shown: ShownCapability, place: Place): Pick<ListingHit, 'item' | 'hint'> | null {
  if (place.provider === OWN_SOURCE) return { item: itemOf(shown, place), hint: '' };
  const hit = hitOf(list, place.provider, place.external_id);
  return hit === null ? null : listingAt(list, hit);
}

/** A listing from what its capability says of it. */
function itemOf(shown: ShownCapability, { provider, external_id, version, homepage }: Place): Item | OwnItem {
  const { name, description, author, downloads, stars, tags, listing_type, execution_class, updated_at } = shown;
  return {
    name,
    description,
    version,
    author,
    homepage,
    downloads,
    stars,
    tags,
    source: provider,
    listing_type,
    external_id,
    provider_id: provider,
    external_updated_at: updated_at,
    execution_class,
  } as Item | OwnItem;
}

const listingAt = (list: ListView, hit: number): ListingHit => ({
  item: itemOfHit(list, hit),
  hint: readHint(readerOfHit(list, hit).segment, rowOfHit(hit)),
  capability: null,
  copies: 0,
});

/** The hit of a listing; null if there is none. */
function hitOf({ base, delta, deleted }: ListView, provider: string, externalId: string): number | null {
  const key = keyOf(provider, externalId);
  const other = delta === null ? -1 : findRow(delta.reader.segment, key);
  if (other >= 0) return -1 - other;
  const row = findRow(base.segment, key);
  return row < 0 || (deleted !== null && hasBit(deleted, row)) ? null : row;
}

/** Listings with the requested id, such as `ana/tool` or `glama/ana/tool`, that no capability has yet. */
function unlinkedWithId({ market, list }: SearchedViews, request: ListingRequest): number[] {
  const id = request.text.trim();
  if (id === '' || /\s/.test(id)) return [];
  const [first = '', ...rest] = id.split('/');
  const places = PROVIDERS.map((provider) => [provider as string, id] as const);
  if ((PROVIDERS as readonly string[]).includes(first)) places.push([first, rest.join('/')]);
  return places.flatMap(([provider, externalId]) => {
    if (!(request.sources as readonly string[]).includes(provider)) return [];
    const hit = hitOf(list, provider, externalId);
    if (hit === null || isLinked(market, provider, externalId)) return [];
    const item = itemOfHit(list, hit);
    const isOfType = request.listing_type === null || request.listing_type === item.listing_type;
    return isOfType && fits(item, request) ? [hit] : [];
  });
}

const isLinked = ({ parts }: MarketplaceView, provider: string, externalId: string): boolean =>
  parts.some(({ segment }) => rowsWithId(segment, idHash(`${provider}/${externalId}`)).length > 0);

/** Listings with all words as parts of their own, by downloads. */
function withParts(list: ListView, request: ListingRequest, plan: QueryPlan): FoundListings {
  const { text, sources, listing_type, execution_class, tag, limit, offset } = request;
  const listed = sources.filter((source) => source !== OWN_SOURCE);
  const { terms } = normalQuery({ search: text });
  if (terms.length === 0 || listed.length === 0) return { total_count: 0, hits: [], plan, match: 'none' };
  const provider = listed.length === 1 ? (listed[0] as string) : null;
  const fields = { provider, listing_type, execution_class, tag };
  const { total_count, hits } = findPage(list, { ...fields, terms, sort: 'downloads', limit, offset });
  const found = Array.from(hits, (hit) => listingAt(list, hit));
  return { total_count, hits: found, plan, match: total_count === 0 ? 'none' : 'all' };
}
