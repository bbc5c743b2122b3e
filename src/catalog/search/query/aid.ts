import { hashOf } from '#core/text/text-cache.ts';
import type { NearestHits } from './nearest-rows.ts';

/** What an operator's models contribute to one search. */
export interface Aid {
  /** Nearest capabilities by meaning; in a search of tools the positions of the nearest tools. */
  nearest: NearestHits;
  /** In a search of capabilities, the rows of the nearest tools. */
  tools?: NearestHits;
  /** How much a place among the nearest counts, relative to one by words. */
  weight: number;
  /** Hits in the order of a reranker, out of the first ones; empty without one. */
  first: readonly number[];
  meaning: AidState;
  reranking: AidState;
  /** Differs between searches that were aided differently, so that answers can be kept. */
  key: string;
}

/**
 * `off`: not configured. `late`: no answer in time. `failed`: unreachable, refused or invalid. `resting`: not asked, because it failed
 * several times or the limit is reached. `no_vectors`: no capability has a vector yet.
 */
export type AidState = 'used' | 'off' | 'late' | 'failed' | 'resting' | 'no_vectors';

/** Whether models changed anything. */
export const isAided = (aid: Aid | null | undefined): aid is Aid =>
  aid != null && (aid.nearest.hits.length > 0 || aid.first.length > 0);

export const NO_HITS: NearestHits = { hits: new Int32Array(0), similarities: new Float32Array(0) };

/** For the validator of an answer: equal for searches that were aided alike. */
export const aidTag = (aid: Aid | null | undefined): string =>
  aid == null ? '' : `-a${(hashOf(aid.key) >>> 0).toString(36)}`;
