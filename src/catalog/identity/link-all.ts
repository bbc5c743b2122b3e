import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { type KeyIndex, keyIndex, pairOf } from './blocking.ts';
import { changedRows, neighbourhoodsOf, newestOfPairs, standingsOf } from './clustering.ts';
import { linkBetween } from './compare.ts';
import { readCounters } from './progress.ts';
import { type LinkDb, NO_CHANGE, type PageOptions, type Plan, saved } from './save.ts';
import {
  allCapabilities,
  allJudgements,
  allLinks,
  countJudgements,
  countListings,
  type Db,
  freshRow,
  isOther,
  type LiveListing,
  listingKey,
  liveListings,
  setCounter,
} from './store.ts';
import { digestOf, type Traits, traitsOf } from './traits.ts';

/**
 * Links all listings at once, to the same groups that come out page by page: each pair is judged one time, with all keys in
 * memory. Only where much of everything changed. Interrupted, it is done again: how far it went is saved at its end.
 */

/** It holds some 3.5 KB of each; the linking thread may have 400 MB. */
const MOST_LISTINGS = 100_000;
const LEAST_CHANGED = 2_000;

/** Whether linking everything costs less than taking in what changed. */
export const isWorthWhole = ({ all, changed }: { all: number; changed: number }): boolean =>
  all <= MOST_LISTINGS && changed >= LEAST_CHANGED && changed * 4 >= all;

/** Answers how many listings had changed; null where it was told to stop. */
export async function linkWhole(db: LinkDb, options: PageOptions): Promise<number | null> {
  const { pace, now, signal } = options;
  const at = await readCounters(db);
  const since = at('capabilities_listings');
  const { changed } = await countListings(db, since);
  const catalogue = await readCatalogue(db, since, now());
  const links = await linksIn(catalogue, signal);
  for (;;) {
    const judgements = await countJudgements(db);
    const save = async (plan: Partial<Plan>): Promise<boolean> => {
      await new Promise((resolve) => setImmediate(resolve));
      return signal?.aborted !== true && saved(db, { ...NO_CHANGE, ...plan, judgements }, { pace, now });
    };
    if ((await saveGroups(db, catalogue, links, save, options)) && (await saveLinksOf(db, links, save, options))) break;
    if (signal?.aborted === true) return null;
    // An operator has judged meanwhile: what is saved is read anew, and groups are made around that.
    for await (const page of allCapabilities(db))
      for (const { id, stands_id, evidence, confidence } of page)
        catalogue.rows.set(id, { ...(catalogue.rows.get(id) as CapabilityRow), stands_id, evidence, confidence });
  }
  await db.transaction((trx) => setCounter(trx, 'capabilities_listings', at('listings')));
  return changed;
}

type Save = (plan: Partial<Plan>) => Promise<boolean>;

/** Pages of whole neighbourhoods, so that whoever reads in between sees groups that are whole. */
async function saveGroups(
  db: LinkDb,
  catalogue: Catalogue,
  links: readonly CapabilityLinkRow[],
  save: Save,
  { pace }: PageOptions,
): Promise<boolean> {
  const { rows, traits, touched } = catalogue;
  let page: CapabilityRow[] = [];
  for (const near of neighbourhoodsOf(rows, links, newestOfPairs(await allJudgements(db)))) {
    const ours = [...near.rows.keys()].filter((id) => touched.has(id));
    page.push(...changedRows(near.rows, standingsOf(near, traits), ours));
    if (page.length < pace.size()) continue;
    if (!(await savePage(catalogue, page, save))) return false;
    page = [];
  }
  return savePage(catalogue, page, save);
}

/** What is saved is as the catalogue says from then on. */
async function savePage({ rows, index, moved, touched, traits }: Catalogue, page: CapabilityRow[], save: Save) {
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
  const left = new Map(links.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const gone: CapabilityLinkRow[] = [];
  for await (const page of allLinks(db))
    for (const was of page) {
      const is = left.get(pairOf(was.a_id, was.b_id));
      if (is === undefined) gone.push(was);
      else if (!isOther(was, is)) left.delete(pairOf(was.a_id, was.b_id));
    }
  const fresh = [...left.values()];
  while (gone.length + fresh.length > 0) {
    const size = pace.size();
    if (!(await save({ gone: gone.splice(0, size), links: fresh.splice(0, size) }))) return false;
  }
  return true;
}

/** All listings in memory, with what the linker has saved of them and what it is to save. */

export interface Catalogue {
  /** By id; of listings that are new they stand alone. */
  rows: Map<string, CapabilityRow>;
  /** Of listings that stand, by id. */
  traits: Map<string, Traits>;
  /** In the order of `traits`. */
  index: KeyIndex;
  /** Where a listing's keys are to be saved: its number in the index, null where it is gone. */
  moved: Map<string, number | null>;
  /** Ids of which something changed. */
  touched: Set<string>;
}

interface Read {
  traits: Traits;
  digest: string;
  seq: number;
}

/** What changed after `since` is touched. A listing that changes while this reads is looked at again by its new number. */
export async function readCatalogue(db: Db, since: number, now: string): Promise<Catalogue> {
  const rows = new Map<string, CapabilityRow>();
  const idOf = new Map<string, string>();
  for await (const page of allCapabilities(db))
    for (const row of page) {
      rows.set(row.id, row);
      if (row.provider_id !== OWN_SOURCE) idOf.set(listingKey(row), row.id);
    }
  const catalogue: Catalogue = { rows, traits: new Map(), index: keyIndex(), moved: new Map(), touched: new Set() };
  for (const it of await readListings(db)) {
    const known = rows.get(idOf.get(listingKey(it.traits)) ?? '');
    take(catalogue, known ?? freshRow(newId(), it.traits, now), it, since);
    idOf.delete(listingKey(it.traits));
  }
  for (const id of idOf.values()) removeGone(catalogue, rows.get(id) as CapabilityRow);
  return catalogue;
}

/** In the order they came, for the oldest stands. */
async function readListings(db: Db): Promise<Read[]> {
  const found: Read[] = [];
  const shared = new Map<string, string>();
  for await (const page of liveListings(db)) for (const listing of page) found.push(read(listing, shared));
  return found.sort((a, b) => a.seq - b.seq);
}

/** Words are few and listings many: each is kept once. */
function read(listing: LiveListing, shared: Map<string, string>): Read {
  const traits = traitsOf(listing);
  const words = traits.words.map((word) => {
    const known = shared.get(word) ?? word;
    shared.set(word, known);
    return known;
  });
  return { traits: { ...traits, words }, digest: digestOf(traits), seq: listing.seq };
}

function take({ rows, traits: all, ...to }: Catalogue, row: CapabilityRow, it: Read, since: number): void {
  const { traits, digest, seq } = it;
  if (row.traits !== digest) to.moved.set(row.id, all.size);
  if (row.traits !== digest || seq > since) to.touched.add(row.id);
  to.index.add(traits);
  all.set(row.id, traits);
  rows.set(row.id, { ...row, listing_type: traits.listing_type, is_live: 1, traits: digest });
}

function removeGone({ rows, moved, touched }: Catalogue, row: CapabilityRow): void {
  if (row.is_live === 0) return;
  rows.set(row.id, { ...row, is_live: 0, traits: '' });
  moved.set(row.id, null);
  touched.add(row.id);
}

const TURN = 1_000;

/** Each pair that shares a key is judged once. */
export async function linksIn({ traits, index }: Catalogue, signal?: AbortSignal): Promise<CapabilityLinkRow[]> {
  const all = [...traits].map(([id, it]) => ({ id, traits: it }));
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
