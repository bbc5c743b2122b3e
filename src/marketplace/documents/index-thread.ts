import { workerData } from 'node:worker_threads';
import { type BuildData, followForever } from '#catalog/search/build/build-loop.ts';
import {
  followMarketplace,
  type LiveMarketplace,
  loadMarketplace,
  marketplaceStateOf,
} from '#catalog/search/build/marketplace-feed.ts';
import { vectorFeed } from '#catalog/search/build/vector-feed.ts';
import type { MarketplaceState } from '#catalog/search/index/delta.ts';
import { openBlobStore } from '#core/blobs/blob-store.ts';
import { hashOf } from '#core/text/text-cache.ts';
import type { BuiltInSkill } from './built-in-skills.ts';
import { documentSource } from './read-documents.ts';

/** Entry of the thread that builds the marketplace's index. */

interface IndexThreadData extends BuildData {
  identity: string;
  skills: readonly BuiltInSkill[];
  /** Where fetched documents are. */
  blobs_dir: string;
  /** Whether this service has a language model. */
  has_model: boolean;
  /** Of the operator's embedding model; null without one. */
  space: string | null;
}

const { identity, skills, blobs_dir, has_model, space } = workerData as IndexThreadData;
const source = documentSource(skills, { blobs: openBlobStore(blobs_dir), has_model });
const vectors = space === null ? null : vectorFeed(space);
/** Built-in skills change with a release and the model with a setting, and no change number covers them. */
const version = `${identity}-${(hashOf(JSON.stringify({ skills, has_model })) >>> 0).toString(36)}`;

await followForever<LiveMarketplace, MarketplaceState>({
  start: async (connection, early) => {
    const live = await loadMarketplace(connection, source, early);
    await vectors?.follow(connection);
    return live;
  },
  follow: async (connection, before) => {
    const next = await followMarketplace(connection, before, source);
    const isGrown = (await vectors?.follow(connection)) ?? false;
    return next ?? (isGrown ? { ...before } : null);
  },
  stateOf: (following) => {
    const state = marketplaceStateOf(following, version);
    return vectors === null ? state : vectors.withVectors(state, following);
  },
  changeOf: ({ seq, published }) => seq + published,
});
