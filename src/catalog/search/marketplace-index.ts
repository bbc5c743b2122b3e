import type { ChangeFeed } from '#core/changes/change-feed.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { type SharedBuilding, sharedBuilding } from './build/build-thread.ts';
import { capabilitySegmentBytes } from './index/capability-segment.ts';
import type { MarketplaceState } from './index/delta.ts';
import type { IndexFacts } from './index-metrics.ts';
import type { MarketplaceView } from './query/marketplace-view.ts';

/** All capabilities as a serving thread sees them: an index in shared memory, always at one moment of the database. */
export interface CapabilityIndex {
  /**
   * The newest state. The first call begins to build it; where that takes long, it answers what has been read by then, which
   * says so by `is_whole`. Throws `marketplace.warming_up` where there is nothing at all.
   */
  view(): MarketplaceView | Promise<MarketplaceView>;
  /** Whether a view is still what the next call would give, as far as that is known without a look. */
  isNewest(view: MarketplaceView): boolean;
  /** Resolves when everything that was committed before the call can be found; at once where nobody has asked yet. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** The same, as whoever opened it has it. */
export interface OpenedIndex extends CapabilityIndex {
  /** Null until it is built, and in all threads but the first. */
  facts(): IndexFacts | null;
}

export interface IndexOptions {
  database: DatabaseConfig;
  /** A module that calls `followForever` with the marketplace's documents, and what it needs beside `FollowOptions`. */
  thread: { entry: URL; data: object };
  log: Log;
  changes: ChangeFeed;
  /** How long the first who ask wait for a whole index. */
  wait_ms?: number;
  threads?: Threads;
}

/** For the first index. By then the first documents are there. */
const LONGEST_WAIT_MS = 5_000;

/** Takes no memory and no thread until somebody asks. */
export function openCapabilityIndex({
  database,
  thread,
  log,
  changes,
  wait_ms = LONGEST_WAIT_MS,
  threads = ALONE,
}: IndexOptions): OpenedIndex {
  let view: MarketplaceView | null = null;
  let building: SharedBuilding | null = null;
  let opening: Promise<void> | null = null;
  let beginning: Promise<void> | null = null;
  let closed = false;
  let waited = false;
  const first = Promise.withResolvers<void>();
  const open = async (): Promise<void> => {
    // Loaded with the first use: most of what a search needs.
    const { marketplaceViewOf } = await import('./query/marketplace-view.ts');
    if (closed) return;
    building = sharedBuilding<MarketplaceState>(threads, {
      entry: thread.entry,
      data: { ...thread.data, database },
      changes,
      follows: ['capabilities', 'published'],
      log,
      name: "the marketplace's index",
      onState(state) {
        view = marketplaceViewOf(state, view);
        if (view.is_whole) first.resolve();
      },
    });
    building.begin();
  };
  const openOnce = (): Promise<void> => {
    opening ??= open();
    return opening;
  };
  const openInFirst = threads.inFirst('marketplace.index', openOnce);
  const begin = (): Promise<void> => {
    beginning ??= openInFirst().then(openOnce);
    return beginning;
  };
  return {
    view() {
      building?.catchUp();
      // Once somebody has waited in vain, nobody after that waits.
      if (view !== null && (view.is_whole || waited)) return view;
      return within(wait_ms, Promise.all([begin(), first.promise])).then(() => {
        waited = true;
        return view ?? refuse();
      });
    },
    isNewest(indexView) {
      building?.catchUp();
      return indexView === view;
    },
    refresh: async () => {
      if (building !== null) await within(LONGEST_REFRESH_MS, building.refresh());
    },
    facts: () => {
      const progress = building?.progress() ?? null;
      if (progress === null || view === null) return null;
      const sizes = view.parts.map(({ segment }) => capabilitySegmentBytes(segment));
      const bytes = sizes.reduce((sum, { list, search }) => sum + list + search, 0);
      return { ...progress, items: view.vocabulary.count, bytes };
    },
    close: async () => {
      closed = true;
      await building?.close();
    },
  };
}

/** Whoever publishes does not wait for ever for an index that cannot follow. */
const LONGEST_REFRESH_MS = 2_000;

async function within(ms: number, ready: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([ready, late]).finally(() => clearTimeout(timer));
}

function refuse(): never {
  const detail = 'The marketplace index is being built. Retry in a few seconds.';
  throw new Problem('unavailable', 'marketplace.warming_up', detail, { headers: { 'retry-after': '5' } });
}
