import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { linkBetween } from './judge-pairs.ts';
import { type KeyIndex, keyIndex } from './key-index.ts';
import { digestOf, freshRow } from './link-page.ts';
import { type Db, listingKey } from './link-store.ts';
import { type Traits, traitsOf } from './traits.ts';
import { allCapabilities, type LiveListing, liveListings } from './whole-store.ts';

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
