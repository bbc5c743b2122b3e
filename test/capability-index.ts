import type { Clock } from '#core/clock/clock.ts';
import { openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import type { CarriedSkill } from '#marketplace/search/carried-skills.ts';
import { type FollowingIndex, followIndex, indexStateOf, loadIndex } from '#marketplace/search/live.ts';
import type { CapabilityIndex } from '#marketplace/search/open-index.ts';
import { type IndexView, indexViewOf } from '#marketplace/search/view.ts';

/** The marketplace's index without its thread: what the thread does once a second is done when somebody looks. */
export function indexBeside({
  config,
  clock,
  carried = [],
}: {
  config: DatabaseConfig;
  clock: Clock;
  carried?: readonly CarriedSkill[];
}): CapabilityIndex {
  let following: FollowingIndex | null = null;
  let view: IndexView | null = null;
  let looked_ms = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    const began_ms = clock.now();
    const connection = await openConnection(config);
    try {
      const next =
        following === null ? await loadIndex(connection, carried) : await followIndex(connection, following, carried);
      if (next !== null) {
        following = next;
        view = indexViewOf(indexStateOf(next, 'test'), view);
      }
    } finally {
      await connection.close();
    }
    looked_ms = began_ms;
  };
  return {
    view: async () => {
      if (Math.abs(clock.now() - looked_ms) >= 1_000) await refresh();
      return view as IndexView;
    },
    isNewest: () => false,
    refresh: async () => {
      if (following !== null) await refresh();
    },
    close: async () => {},
  };
}
