import {
  followMarketplace,
  type LiveMarketplace,
  loadMarketplace,
  marketplaceStateOf,
} from '#catalog/search/build/marketplace-feed.ts';
import { vectorFeed } from '#catalog/search/build/vector-feed.ts';
import type { CapabilityIndex } from '#catalog/search/marketplace-index.ts';
import type { SearchModels } from '#catalog/search/model/ask-models.ts';
import { NO_SEARCH_MODELS } from '#catalog/search/model/open-search-models.ts';
import { type MarketplaceView, marketplaceViewOf } from '#catalog/search/query/marketplace-view.ts';
import type { Clock } from '#core/clock/clock.ts';
import { openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import type { BuiltInSkill } from '#marketplace/documents/built-in-skills.ts';
import { documentSource } from '#marketplace/documents/read-documents.ts';

/** The marketplace's index without its thread: it follows the database when it is read, at most once a second. */
export function indexBeside({
  config,
  clock,
  skills = [],
  models = NO_SEARCH_MODELS,
  space = null,
}: {
  config: DatabaseConfig;
  clock: Clock;
  skills?: readonly BuiltInSkill[];
  models?: SearchModels;
  /** Of the models' vectors. */
  space?: string | null;
}): CapabilityIndex {
  const source = documentSource(skills);
  const vectors = space === null ? null : vectorFeed(space);
  let following: LiveMarketplace | null = null;
  let view: MarketplaceView | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    const beganMs = clock.now();
    const connection = await openConnection(config);
    try {
      const next =
        following === null
          ? await loadMarketplace(connection, source)
          : await followMarketplace(connection, following, source);
      const isGrown = (await vectors?.follow(connection)) ?? false;
      if (next !== null || isGrown) {
        following = next ?? (following as LiveMarketplace);
        const state = marketplaceStateOf(following, 'test');
        view = marketplaceViewOf(vectors === null ? state : vectors.withVectors(state, following), view);
      }
    } finally {
      await connection.close();
    }
    lookedMs = beganMs;
  };
  return {
    view: async () => {
      if (Math.abs(clock.now() - lookedMs) >= 1_000) await refresh();
      return view as MarketplaceView;
    },
    get isReady() {
      return view !== null;
    },
    aid: models.aid,
    aidTools: models.aidTools,
    newest: () => view,
    isNewest: () => false,
    refresh: async () => {
      if (following !== null) await refresh();
    },
    close: async () => {},
  };
}
