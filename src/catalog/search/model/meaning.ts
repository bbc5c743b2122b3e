import { LRUCache } from 'lru-cache';
import type { Embeddings } from '#core/llm/embeddings.ts';
import { quantized, type Vectors } from '../index/vectors.ts';
import { type AidState, NO_HITS } from '../query/aid.ts';
import type { MarketplaceView } from '../query/marketplace-view.ts';
import type { NearestHits } from '../query/nearest-rows.ts';
import { RANKING } from '../ranking.ts';
import { askInTime } from './ask-in-time.ts';
import type { NoteAsked } from './meter.ts';
import { pacer } from './pacer.ts';
import type { Scanner } from './scanner.ts';
import type { SearchModelConfig } from './space.ts';

/** The capabilities that are nearest to a text in meaning. */
interface Meaning {
  nearest(view: MarketplaceView, text: string): Promise<{ state: AidState; nearest: NearestHits }>;
}

interface MeaningOptions {
  embeddings: Embeddings;
  scanner: Scanner;
  config: SearchModelConfig['embeddings'];
  note: NoteAsked;
}

/** Searches of one view that are kept. */
const MOST_KEPT = 500;

export function openMeaning({ embeddings, scanner, config, note }: MeaningOptions): Meaning {
  const { query_prefix, query_pace, wait_ms, least_similarity } = config;
  const vectors = askInTime<string, Int8Array>({
    wait_ms,
    note: (outcome) => note('query', outcome),
    mayAsk: pacer(query_pace),
    ask: async (text, signal) => {
      const [vector] = await embeddings.embed([`${query_prefix}${text}`], signal);
      return quantized(vector as Float32Array);
    },
  });
  const kept = new WeakMap<MarketplaceView, LRUCache<string, NearestHits>>();
  const keptOf = (view: MarketplaceView): LRUCache<string, NearestHits> => {
    const known = kept.get(view) ?? new LRUCache<string, NearestHits>({ max: MOST_KEPT });
    kept.set(view, known);
    return known;
  };
  return {
    async nearest(view, text) {
      if (view.vectors === null) return { state: 'no_vectors', nearest: NO_HITS };
      const known = keptOf(view).get(text);
      if (known !== undefined) return { state: 'used', nearest: known };
      const found = await vectors.ask(text, text);
      if (found.state !== 'used') return { state: found.state, nearest: NO_HITS };
      // The model has changed since the vectors of the capabilities were made.
      if (found.answer.length !== view.vectors.dimensions) return { state: 'failed', nearest: NO_HITS };
      const all = await scanner.nearest(requestOf(view, view.vectors, found.answer));
      if (all === null) return { state: 'resting', nearest: NO_HITS };
      const nearest = similarOnly(all, least_similarity / 100);
      keptOf(view).set(text, nearest);
      return { state: 'used', nearest };
    },
  };
}

function requestOf({ parts: [base] }: MarketplaceView, vectors: Vectors, query: Int8Array) {
  const { dimensions, blocks } = vectors;
  const delta = vectors.delta === null ? [] : [{ slots: vectors.delta, deleted: null }];
  const parts = [{ slots: vectors.base, deleted: base.deleted }, ...delta];
  return { dimensions, blocks, parts, query, most: RANKING.fusion.nearest };
}

function similarOnly({ hits, similarities }: NearestHits, least: number): NearestHits {
  const end = similarities.findIndex((similarity) => similarity < least);
  return end === -1 ? { hits, similarities } : { hits: hits.slice(0, end), similarities: similarities.slice(0, end) };
}
