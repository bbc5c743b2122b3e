import type { Flagged } from '#catalog/items/flagged.ts';
import type { Item } from '#catalog/items/item.ts';
import type { ChangeFeed } from '#core/changes/change-feed.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { flaggedHits, listBody } from './answer/list-body.ts';
import { sharedBuilding } from './build/build-thread.ts';
import type { WorkerOptions } from './build/registry-thread.ts';
import { popcount } from './index/bitset.ts';
import type { RegistryState } from './index/delta.ts';
import { bytesOfArrays, ENUM_VALUES, type Segment, setAt } from './index/segment.ts';
import type { IndexFacts } from './index-metrics.ts';
import { findPage } from './query/list.ts';
import type { ListQuery } from './query/list-query.ts';
import { itemsOf, type ListView, listViewOf } from './query/list-view.ts';
import { type RegistryResult, type RegistrySearch, searchRegistry } from './query/registry-search.ts';

/** The catalogue as a serving thread sees it: an index in shared memory, always at one moment of the database. */
export interface Catalog {
  /** Begins to build the index, which otherwise the first look at it does: until then it costs no thread. */
  begin(): void;
  /** Resolves when the first state is there. */
  readonly ready: Promise<void>;
  readonly isReady: boolean;
  /** Changes with every change of content; the same for the same content everywhere. Fits into an ETag. */
  readonly version: string;
  /**
   * The list's whole answer as JSON in UTF-8; the query comes from `normalQuery`. `release` may be called once, when
   * nobody will read the body any more. Items that are `flagged` say so.
   */
  query(query: ListQuery, flagged?: Flagged): { total_count: number; body: Uint8Array; release(): void };
  items(query: ListQuery): { total_count: number; items: Item[] };
  /** The best matches first, with how each is had. */
  search(request: RegistrySearch): RegistryResult;
  stats(): CatalogStats;
  /** Null until the first state is there. */
  facts(): IndexFacts | null;
  /** Resolves when everything that was committed before the call can be found. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ListingCount {
  provider: string;
  listing_type: string;
  execution_class: string;
  count: number;
}

export interface CatalogStats {
  total_count: number;
  counts: ListingCount[];
  /** Bytes of the shared index, JSON included. */
  bytes: number;
}

export interface CatalogOptions {
  database: DatabaseConfig;
  /** Of `databaseIdentity`. */
  identity: string;
  /** Where the snapshot is kept; null keeps none. */
  data_dir: string | null;
  log: Log;
  changes: ChangeFeed;
  /** After so long without a change the thread closes its connection. */
  idle_ms?: number;
  threads?: Threads;
}

export function openCatalog(options: CatalogOptions): Catalog {
  const { database, identity, data_dir, log, changes, idle_ms, threads = ALONE } = options;
  const hitsOf = flaggedHits();
  const current = currentView(() => building.catchUp());
  const data: WorkerOptions = { database, identity, data_dir, idle_ms };
  const entry = new URL('./build/registry-thread.ts', import.meta.url);
  const building = sharedBuilding(threads, {
    entry,
    data,
    changes,
    follows: ['listings'],
    name: 'the catalogue',
    log,
    onState: current.set,
  });
  let begun = false;
  const begin = (): void => {
    if (!begun) building.begin();
    begun = true;
  };
  return {
    begin,
    get ready() {
      begin();
      return current.ready;
    },
    get isReady() {
      begin();
      return current.isSet();
    },
    get version() {
      return current.get().version;
    },
    query(query, flagged) {
      const view = current.get();
      const found = findPage(view, query);
      const { bytes, release } = listBody(view, found, query, hitsOf(view, flagged));
      return { total_count: found.total_count, body: bytes, release };
    },
    items(query) {
      const view = current.get();
      const { total_count, hits } = findPage(view, query);
      return { total_count, items: itemsOf(view, hits) };
    },
    search: (request) => searchRegistry(current.get(), request),
    stats: () => current.stats(),
    facts: () => {
      const progress = building.progress();
      if (progress === null || !current.isSet()) return null;
      const { total_count, bytes } = current.stats();
      return { ...progress, items: total_count, bytes };
    },
    refresh: building.refresh,
    close: building.close,
  };
}

function currentView(catchUp: () => void) {
  let view: ListView | null = null;
  let stats: CatalogStats | null = null;
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const get = (): ListView => {
    catchUp();
    if (view === null) throw new Error('The catalogue was read before it was ready.');
    return view;
  };
  return {
    ready,
    isSet: () => {
      catchUp();
      return view !== null;
    },
    get,
    set(state: RegistryState): void {
      view = listViewOf(state, view);
      stats = null;
      resolve();
    },
    stats: () => {
      const current = get();
      stats ??= statsOf(current);
      return stats;
    },
  };
}

function statsOf(view: ListView): CatalogStats {
  const counts = countListings(view);
  const delta = view.delta === null ? 0 : bytesOfArrays(view.delta.reader.segment);
  return {
    total_count: counts.reduce((sum, { count }) => sum + count, 0),
    counts,
    bytes: bytesOfArrays(view.base.segment) + delta + (view.deleted?.byteLength ?? 0),
  };
}

/** How many listings there are of each provider, type and class. Combinations without any are left out. */
function countListings({ base, delta, deleted }: ListView): ListingCount[] {
  const counts: ListingCount[] = [];
  ENUM_VALUES.providers.forEach((provider, p) => {
    ENUM_VALUES.types.forEach((listing_type, t) => {
      ENUM_VALUES.classes.forEach((execution_class, c) => {
        const inDelta = delta === null ? 0 : countIn(delta.reader.segment, null, p, t, c);
        const count = countIn(base.segment, deleted, p, t, c) + inDelta;
        if (count > 0) counts.push({ provider, listing_type, execution_class, count });
      });
    });
  });
  return counts;
}

function countIn(segment: Segment, deleted: Int32Array | null, p: number, t: number, c: number): number {
  const { providers, types, classes, count: rows } = segment;
  const [ofProvider, ofType, ofClass] = [setAt(providers, p, rows), setAt(types, t, rows), setAt(classes, c, rows)];
  let count = 0;
  for (let w = 0; w < ofProvider.length; w++) {
    const word = (ofProvider[w] as number) & (ofType[w] as number) & (ofClass[w] as number);
    if (word !== 0) count += popcount(deleted === null ? word : word & ~(deleted[w] as number));
  }
  return count;
}
