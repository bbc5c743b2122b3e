import { workerData } from 'node:worker_threads';
import { type BuildData, followForever } from '#catalog/search/build/build-loop.ts';
import {
  followMarketplace,
  type LiveMarketplace,
  loadMarketplace,
  marketplaceStateOf,
} from '#catalog/search/build/marketplace-feed.ts';
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
}

const { identity, skills, blobs_dir } = workerData as IndexThreadData;
const source = documentSource(skills, openBlobStore(blobs_dir));
/** Built-in skills change with a release, and no change number covers them. */
const version = `${identity}-${(hashOf(JSON.stringify(skills)) >>> 0).toString(36)}`;

await followForever<LiveMarketplace, MarketplaceState>({
  start: (connection, early) => loadMarketplace(connection, source, early),
  follow: (connection, before) => followMarketplace(connection, before, source),
  stateOf: (following) => marketplaceStateOf(following, version),
  changeOf: ({ seq, published }) => seq + published,
});
