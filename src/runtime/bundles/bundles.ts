import { createFairQueue, QueueBusy } from '#core/fair-queue/fair-queue.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { BundleStore } from './bundle-store.ts';
import { type FetchDeps, fetchBundle } from './fetch-bundle.ts';
import { type BundleSource, isPinned, sourceKey } from './source-of.ts';

/** The files of third-party skills. */
export interface Bundles {
  /** Throws the errors of `fetchBundle`. With `digest`, returns exactly that version if it is still stored. */
  files(source: BundleSource, share: Share, digest?: string): Promise<Map<string, Uint8Array>>;
}

/** Maximum age of a lookup, after which a takedown applies. The content of a commit never changes. */
const FRESH_MS = { clawhub: 3_600_000, github: 600_000 } as const;
/** Fetching mostly waits for the other host. One share fetches half of these at once. */
const QUEUE = { places: 4, waiting: 100, waiting_per_share: 16, held_per_share: 2 };

export function createBundles({ store, ...deps }: FetchDeps & { store: BundleStore }): Bundles {
  const queue = createFairQueue(QUEUE);
  const underWay = new Map<string, Promise<Map<string, Uint8Array>>>();
  const fetchNew = async (key: string, source: BundleSource) => {
    const files = await fetchBundle(deps, source);
    await store.noteLookup(key, await store.put(files));
    return files;
  };
  const fetchOnce = (key: string, source: BundleSource, share: Share): Promise<Map<string, Uint8Array>> => {
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const fetching = queue
      .run(share, () => fetchNew(key, source))
      .catch((error) => {
        throw error instanceof QueueBusy ? busy() : error;
      });
    const shared = fetching.finally(() => underWay.delete(key));
    underWay.set(key, shared);
    return shared;
  };
  return {
    files: async (source, share, digest) => {
      const key = sourceKey(source);
      const maxAgeMs = isPinned(source) ? Number.POSITIVE_INFINITY : FRESH_MS[source.kind];
      // A skill that was taken down since must not run from the stored copy.
      const known = digest !== undefined && source.kind === 'github' ? digest : await store.lookedUp(key, maxAgeMs);
      return (known === null ? null : await store.get(known)) ?? fetchOnce(key, source, share);
    },
  };
}

const busy = (): Problem =>
  runtimeProblem('runs.unavailable', 'Too many skills are being fetched; ask again in 5 s.', {
    reason: 'fetch_busy',
    headers: { 'retry-after': '5' },
  });
