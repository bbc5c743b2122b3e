import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { type KeyIndex, keyIndex, pairOf } from './blocking.ts';
import { assignmentsOf, changedRows, neighbourhoodsOf, newestOfPairs } from './clustering.ts';
import { linkBetween } from './compare.ts';
import { readCounters } from './progress.ts';
import { type LinkDb, NO_CHANGE, type PageOptions, type Plan, savePlan } from './save.ts';
import {
  allCapabilities,
  allJudgements,
  allLinks,
  countJudgements,
  countListings,
  type Db,
  isLinkChanged,
  type LiveListing,
  listingKey,
  liveListings,
  newCapability,
  setCounter,
} from './store.ts';
import { digestOf, type Traits, traitsOf } from './traits.ts';

/**
 * Links all listings at once, when a large part of them changed. With all keys in memory, each pair is compared once. The links
 * and groups are the same as page by page. Progress is saved at the end only, so an interrupted pass starts over.
 */

/** At about 3.5 KB each, these fit into the thread's limit of 400 MB. */
const MAX_LISTINGS = 100_000;
const MIN_CHANGED = 2_000;

/** Whether linking everything costs less than linking what changed. */
export function isWorthLinkingAll({ all, changed }: { all: number; changed: number }): boolean {
  return all <= MAX_LISTINGS && changed >= MIN_CHANGED && changed * 4 >= all;
}

/** Returns how many listings had changed; null if interrupted. */
export async function linkAll(db: LinkDb, options: PageOptions): Promise<number | null> {
  const { pace, now, signal } = options;
  const at = await readCounters(db);
  const since = at('capabilities_listings');
  const { changed } = await countListings(db, since);
  const catalog = await readCatalog(db, since, now());
  const links = await linksIn(catalog, signal);
  for (;;) {
    const judgements = await countJudgements(db);
    const save = async (plan: Partial<Plan>): Promise<boolean> => {
      await new Promise((resolve) => setImmediate(resolve));
      return signal?.aborted !== true && savePlan(db, { ...NO_CHANGE, ...plan, judgements }, { pace, now });
    };
    if ((await saveGroups(db, catalog, links, save, options)) && (await saveLinksOf(db, links, save, options))) break;
    if (signal?.aborted === true) return null;
    // An operator has merged or split meanwhile: read the current groups and group again.
    for await (const page of allCapabilities(db))
      for (const { id, stands_id, evidence, confidence } of page)
        catalog.rows.set(id, { ...(catalog.rows.get(id) as CapabilityRow), stands_id, evidence, confidence });
  }
  await db.transaction((trx) => setCounter(trx, 'capabilities_listings', at('listings')));
  return changed;
}

/** All listings in memory, with what is saved about them and what remains to be saved. */
interface Catalog {
  /** By id. New listings are alone in their group. */
  rows: Map<string, CapabilityRow>;
  /** Traits of live listings, by id. */
  traits: Map<string, Traits>;
  /** In the order of `traits`. */
  index: KeyIndex;
  /** Ids whose keys are to be saved, with their number in the index; null if the listing is gone. */
  moved: Map<string, number | null>;
  /** Ids of listings that changed. */
  touched: Set<string>;
}

interface LoadedListing {
  traits: Traits;
  digest: string;
  seq: number;
}

/** Listings that changed after `since` are touched. One that changes during the read gets a new number and is linked again. */
async function readCatalog(db: Db, since: number, now: string): Promise<Catalog> {
  const rows = new Map<string, CapabilityRow>();
  const idOf = new Map<string, string>();
  for await (const page of allCapabilities(db))
    for (const row of page) {
      rows.set(row.id, row);
      if (row.provider_id !== OWN_SOURCE) idOf.set(listingKey(row), row.id);
    }
  const catalog: Catalog = { rows, traits: new Map(), index: keyIndex(), moved: new Map(), touched: new Set() };
  for (const listing of await readListings(db)) {
    const known = rows.get(idOf.get(listingKey(listing.traits)) ?? '');
    addListing(catalog, known ?? newCapability(newId(), listing.traits, now), listing, since);
    idOf.delete(listingKey(listing.traits));
  }
  for (const id of idOf.values()) removeListing(catalog, rows.get(id) as CapabilityRow);
  return catalog;
}

/** In the order of their sequence numbers, so that older listings get the smaller ids. */
async function readListings(db: Db): Promise<LoadedListing[]> {
  const found: LoadedListing[] = [];
  const shared = new Map<string, string>();
  for await (const page of liveListings(db)) for (const listing of page) found.push(loaded(listing, shared));
  return found.sort((a, b) => a.seq - b.seq);
}

/** Shares equal word strings between listings, which saves memory. */
function loaded(listing: LiveListing, shared: Map<string, string>): LoadedListing {
  const traits = traitsOf(listing);
  const words = traits.words.map((word) => {
    const known = shared.get(word) ?? word;
    shared.set(word, known);
    return known;
  });
  return { traits: { ...traits, words }, digest: digestOf(traits), seq: listing.seq };
}

function addListing(
  { rows, traits: all, ...to }: Catalog,
  row: CapabilityRow,
  { traits, digest, seq }: LoadedListing,
  since: number,
): void {
  if (row.traits !== digest) to.moved.set(row.id, all.size);
  if (row.traits !== digest || seq > since) to.touched.add(row.id);
  to.index.add(traits);
  all.set(row.id, traits);
  rows.set(row.id, { ...row, listing_type: traits.listing_type, is_live: 1, traits: digest });
}

function removeListing({ rows, moved, touched }: Catalog, row: CapabilityRow): void {
  if (row.is_live === 0) return;
  rows.set(row.id, { ...row, is_live: 0, traits: '' });
  moved.set(row.id, null);
  touched.add(row.id);
}

/** Listings compared before the event loop gets a turn. */
const TURN = 1_000;

/** Compares each pair of listings that share a key once. */
async function linksIn({ traits, index }: Catalog, signal?: AbortSignal): Promise<CapabilityLinkRow[]> {
  const all = [...traits].map(([id, own]) => ({ id, traits: own }));
  const links: CapabilityLinkRow[] = [];
  for (const [number, one] of all.entries()) {
    if (number % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) break;
    for (const other of index.laterSharing(number)) {
      const link = linkBetween(one, all[other] as typeof one, index.crowd);
      if (link !== null) links.push(link);
    }
  }
  return links;
}

type Save = (plan: Partial<Plan>) => Promise<boolean>;

/** Saves pages of whole neighbourhoods, so that readers never see half a group. */
async function saveGroups(
  db: LinkDb,
  catalog: Catalog,
  links: readonly CapabilityLinkRow[],
  save: Save,
  { pace }: PageOptions,
): Promise<boolean> {
  const { rows, traits, touched } = catalog;
  let page: CapabilityRow[] = [];
  for (const near of neighbourhoodsOf(rows, links, newestOfPairs(await allJudgements(db)))) {
    const ours = [...near.rows.keys()].filter((id) => touched.has(id));
    page.push(...changedRows(near.rows, assignmentsOf(near, traits), ours));
    if (page.length < pace.size()) continue;
    if (!(await savePage(catalog, page, save))) return false;
    page = [];
  }
  return savePage(catalog, page, save);
}

/** Saves rows with their keys and marks them as saved in the catalog. */
async function savePage({ rows, index, moved, touched, traits }: Catalog, page: CapabilityRow[], save: Save) {
  const ours = page.map(({ id }) => id).filter((id) => moved.has(id));
  const keys = ours.flatMap((id) => {
    const [number, shelf] = [moved.get(id) ?? null, traits.get(id)?.shelf ?? ''];
    return number === null ? [] : index.keysOf(number).map((key) => ({ id, key, shelf }));
  });
  if (!(await save({ rows: page, moved: ours, keys }))) return false;
  for (const row of page) {
    rows.set(row.id, row);
    moved.delete(row.id);
    touched.delete(row.id);
  }
  return true;
}

async function saveLinksOf(
  db: LinkDb,
  links: readonly CapabilityLinkRow[],
  save: Save,
  { pace }: PageOptions,
): Promise<boolean> {
  const left = new Map(links.map((link) => [pairOf(link.a_id, link.b_id), link]));
  const gone: CapabilityLinkRow[] = [];
  for await (const page of allLinks(db))
    for (const saved of page) {
      const pair = pairOf(saved.a_id, saved.b_id);
      const link = left.get(pair);
      if (link === undefined) gone.push(saved);
      else if (!isLinkChanged(saved, link)) left.delete(pair);
    }
  const added = [...left.values()];
  while (gone.length + added.length > 0) {
    const size = pace.size();
    if (!(await save({ gone: gone.splice(0, size), links: added.splice(0, size) }))) return false;
  }
  return true;
}
