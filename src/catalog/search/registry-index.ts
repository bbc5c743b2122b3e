import type { Flagged } from '#catalog/items/flagged.ts';
import type { Item } from '#catalog/items/item.ts';
import type { ChangeFeed } from '#core/changes/change-feed.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { flaggedHits, listBody } from './answer/list-body.ts';
import { openLiveView } from './build/build-thread.ts';
import type { RegistryBuildData } from './build/registry-thread.ts';
import { popcount } from './index/bitset.ts';
import type { RegistryState } from './index/delta.ts';
import { bytesOfArrays, ENUM_VALUES, type Segment, setAt } from './index/segment.ts';
import type { IndexFacts } from './index-metrics.ts';
import { findPage } from './query/list.ts';
import type { ListQuery } from './query/list-query.ts';
import { itemsOf, type ListView, listViewOf } from './query/list-view.ts';

/** The registry's index, in shared memory, always at one moment of the database. */
export interface Catalog {
  /** Starts the build, as the first read does. Until then the index costs no thread. */
  begin(): void;
  /** Resolves when the index can be read. */
  readonly ready: Promise<void>;
  readonly isReady: boolean;
  /** The same in every process for the same content, and different for other content. Fits into an ETag. */
  readonly version: string;
  /**
   * A list's answer as JSON in UTF-8. `query` comes from `normalQuery`. Call `release` at most once, when nobody reads the body any
   * more. Items that are `flagged` get a mark.
   */
  query(query: ListQuery, flagged?: Flagged): { total_count: number; body: Uint8Array; release(): void };
  items(query: ListQuery): { total_count: number; items: Item[] };
  /** The index as it is now, for a search by relevance. */
  view(): ListView;
  stats(): CatalogStats;
  /** Null until it is built, and in all threads but the first. */
  facts(): IndexFacts | null;
  /** Resolves when everything that was committed before the call can be found. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface ListingCount {
  provider: string;
  listing_type: string;
  execution_class: string;
  count: number;
}

export interface CatalogStats {
  total_count: number;
  counts: ListingCount[];
  /** Shared memory, JSON included. */
  bytes: number;
}

interface CatalogOptions {
  database: DatabaseConfig;
  /** Of `databaseIdentity`. */
  identity: string;
  /** Where the snapshot is kept. Null: nowhere. */
  data_dir: string | null;
  log: Log;
  changes: ChangeFeed;
  /** The build thread closes its connection after this time without a change. */
  idle_ms?: number;
  threads?: Threads;
}

export function openCatalog(options: CatalogOptions): Catalog {
  const { database, identity, data_dir, log, changes, idle_ms, threads = ALONE } = options;
  const hitsOf = flaggedHits();
  const data: RegistryBuildData = { database, identity, data_dir, idle_ms };
  const ready = Promise.withResolvers<void>();
  let stats: { view: ListView; stats: CatalogStats } | null = null;
  const live = openLiveView<RegistryState, ListView>(threads, {
    entry: new URL('./build/registry-thread.ts', import.meta.url),
    data,
    changes,
    follows: ['listings'],
    name: 'registry index',
    log,
    viewOf: listViewOf,
    onView: () => ready.resolve(),
  });
  let begun = false;
  const begin = (): void => {
    if (!begun) live.begin();
    begun = true;
  };
  const view = (): ListView => {
    const current = live.current();
    if (current === null) throw new Error('The registry index was read before it was ready.');
    return current;
  };
  const readStats = (): CatalogStats => {
    const current = view();
    if (stats?.view !== current) stats = { view: current, stats: statsOf(current) };
    return stats.stats;
  };
  return {
    begin,
    get ready() {
      begin();
      return ready.promise;
    },
    get isReady() {
      begin();
      return live.current() !== null;
    },
    get version() {
      return view().version;
    },
    query(query, flagged) {
      const current = view();
      const page = findPage(current, query);
      const { bytes, release } = listBody(current, page, query, hitsOf(current, flagged));
      return { total_count: page.total_count, body: bytes, release };
    },
    items(query) {
      const current = view();
      const { total_count, hits } = findPage(current, query);
      return { total_count, items: itemsOf(current, hits) };
    },
    view,
    stats: readStats,
    facts: () => {
      const progress = live.progress();
      if (progress === null || live.current() === null) return null;
      const { total_count, bytes } = readStats();
      return { ...progress, items: total_count, bytes };
    },
    refresh: live.refresh,
    close: live.close,
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
