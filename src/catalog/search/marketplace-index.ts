import type { ChangeFeed } from '#core/changes/change-feed.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import type { Log } from '#core/log.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { type LiveView, openLiveView } from './build/build-thread.ts';
import { capabilitySegmentBytes } from './index/capability-segment.ts';
import type { MarketplaceState } from './index/delta.ts';
import { vectorFacts } from './index/vectors.ts';
import type { IndexFacts } from './index-metrics.ts';
import type { SearchModels } from './model/ask-models.ts';
import { NO_SEARCH_MODELS } from './model/open-search-models.ts';
import type { Aid } from './query/aid.ts';
import type { SearchRequest } from './query/marketplace-search.ts';
import type { MarketplaceView } from './query/marketplace-view.ts';

/** The index of all capabilities, in shared memory, always at one moment of the database. */
export interface CapabilityIndex {
  /**
   * The newest view. The first call starts the build and waits a few seconds for it. Then it returns what has been read, with
   * `is_whole` false, or throws `http.unavailable` (`index`) if that is nothing.
   */
  view(): MarketplaceView | Promise<MarketplaceView>;
  /** Whether there is something to read. Starts the build. */
  readonly isReady: boolean;
  /**
   * Asks the operator's models about a search. Give the result to it as `SearchRequest.aid`. The first call also loads what searches read
   * from files.
   */
  aid: SearchModels['aid'];
  /** Asks them about a search of tools. */
  aidTools: SearchModels['aidTools'];
  /** The newest view; null if there is none yet. Starts nothing. */
  newest(): MarketplaceView | null;
  /** Whether a view is still the newest, as far as this thread knows. */
  isNewest(view: MarketplaceView): boolean;
  /** Resolves when everything that was committed before the call can be found. Immediately if the build has not started. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenedIndex extends CapabilityIndex {
  /** Null until it is built, and in all threads but the first. */
  facts(): IndexFacts | null;
}

export interface IndexOptions {
  database: DatabaseConfig;
  /** A module that calls `followForever` with the marketplace's documents, and its data beside `BuildData`. */
  thread: { entry: URL; data: object };
  log: Log;
  changes: ChangeFeed;
  /** How long the first callers wait for a whole index. */
  wait_ms?: number;
  threads?: Threads;
  /** Numbers of further changes that the thread follows. */
  follows?: readonly string[];
  models?: SearchModels;
}

/** The first documents are usually there by then. */
const LONGEST_WAIT_MS = 5_000;

/** Takes no memory and no thread before the first call of `view`. */
export function openCapabilityIndex(options: IndexOptions): OpenedIndex {
  const {
    database,
    thread,
    log,
    changes,
    wait_ms = LONGEST_WAIT_MS,
    threads = ALONE,
    follows = [],
    models = NO_SEARCH_MODELS,
  } = options;
  let live: LiveView<MarketplaceView> | null = null;
  let opening: Promise<void> | null = null;
  let beginning: Promise<void> | null = null;
  let closed = false;
  let waited = false;
  const whole = Promise.withResolvers<void>();
  const open = async (): Promise<void> => {
    // Loads most of what a search needs, so only with the first use.
    const { marketplaceViewOf } = await import('./query/marketplace-view.ts');
    if (closed) return;
    live = openLiveView<MarketplaceState, MarketplaceView>(threads, {
      entry: thread.entry,
      data: { ...thread.data, database },
      changes,
      follows: ['capabilities', 'published', ...follows],
      log,
      name: 'marketplace index',
      viewOf: marketplaceViewOf,
      onView: ({ is_whole }) => {
        if (is_whole) whole.resolve();
      },
    });
    live.begin();
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
  let areTablesLoaded = false;
  const aidFirst = async (view: MarketplaceView, request: SearchRequest): Promise<Aid | null> => {
    const { loadTables } = await import('./query/load-tables.ts');
    await loadTables();
    areTablesLoaded = true;
    return models.aid(view, request);
  };
  const current = (): MarketplaceView | null => live?.current() ?? null;
  return {
    view() {
      const view = current();
      // After one caller has waited in vain, no other waits.
      if (view !== null && (view.is_whole || waited)) return view;
      return within(wait_ms, Promise.all([begin(), whole.promise])).then(() => {
        waited = true;
        return current() ?? refuseToSearch();
      });
    },
    get isReady() {
      // A failed start is tried again, and told, by the first search.
      begin().catch(() => {});
      return current() !== null;
    },
    aid: (view, request) => (areTablesLoaded ? models.aid(view, request) : aidFirst(view, request)),
    aidTools: models.aidTools,
    newest: current,
    isNewest: (view) => view === current(),
    refresh: async () => {
      if (live !== null) await within(LONGEST_REFRESH_MS, live.refresh());
    },
    facts: () => {
      const [progress, view] = [live?.progress() ?? null, current()];
      if (progress === null || view === null) return null;
      const sizes = view.parts.map(({ segment }) => capabilitySegmentBytes(segment));
      const bytes = sizes.reduce((sum, { list, search }) => sum + list + search, 0);
      const vectors = view.vectors === null ? null : vectorFacts(view.vectors);
      const items = view.vocabulary.count;
      return {
        ...progress,
        items,
        bytes: bytes + (vectors?.bytes ?? 0),
        ...defined({ vectors: vectors?.count, tool_vectors: vectors?.tools }),
      };
    },
    close: async () => {
      closed = true;
      await models.close();
      await live?.close();
    },
  };
}

/** Publishing does not wait longer for an index that fails to update. */
const LONGEST_REFRESH_MS = 2_000;

async function within(ms: number, ready: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([ready, late]).finally(() => clearTimeout(timer));
}

/** Throws `http.unavailable` (`index`) until there is something to read. Starts the build. */
export function refuseWhileBuilding(index: Pick<CapabilityIndex, 'isReady'>): void {
  if (!index.isReady) refuseToSearch();
}

function refuseToSearch(): never {
  const detail = 'The marketplace index is being built. Retry in a few seconds.';
  throw coreProblem('http.unavailable', detail, { reason: 'index', headers: { 'retry-after': '5' } });
}
