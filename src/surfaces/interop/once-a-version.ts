import type { FlaggedListings } from '#catalog/items/flagged.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Reply } from '#core/http/operation.ts';
import { textCache } from '#core/text/text-cache.ts';

/**
 * Responses that depend on the catalog: built once per version and cached up to a number of bytes. A response that
 * also depends on something else says how long it may be reused.
 */
type OnceAVersion = (key: string, make: () => Promise<Reply & { body: Uint8Array }>) => Promise<Reply>;

export function onceAVersion(
  catalog: { readonly isReady: boolean; readonly version: string },
  most_bytes: number,
  stands?: { clock: Clock; most_ms: number },
): OnceAVersion {
  const kept = textCache<Promise<Reply & { body: Uint8Array }>>({ most_bytes: 64, bytesOf: () => 1 });
  const replies = textCache<Reply>({ most_bytes, bytesOf: ({ body }) => (body as Uint8Array).byteLength * 2 + 1_024 });
  let known = '';
  return async (key, make) => {
    // Read before the data, which may then be newer than the version but never older.
    const version = catalog.isReady ? catalog.version : '';
    if (version !== known) {
      replies.clear();
      kept.clear();
    }
    known = version;
    const reply = replies.get(key);
    if (reply?.isFresh?.() === true) return reply;
    // Concurrent requests wait for the same response.
    const making = kept.get(key) ?? make();
    kept.set(key, making);
    try {
      const made = await making;
      if (version === '' || version !== known) return made;
      const isTimely = timely(stands);
      const isFresh = () => catalog.version === version && isTimely();
      const ready = { ...made, encoded: new Map(), isFresh };
      replies.set(key, ready);
      return ready;
    } finally {
      kept.delete(key);
    }
  };
}

/** The catalog with its flags, for responses without flagged listings. */
export const withFlags = (catalog: Pick<Catalog, 'isReady' | 'version'>, flagged: FlaggedListings) => ({
  get isReady() {
    return catalog.isReady;
  },
  get version() {
    return `${catalog.version} ${flagged.known().version}`;
  },
});

function timely(stands: { clock: Clock; most_ms: number } | undefined): () => boolean {
  if (stands === undefined) return () => true;
  const untilMs = stands.clock.now() + stands.most_ms;
  return () => stands.clock.now() < untilMs;
}
