import { LRUCache } from 'lru-cache';
import type { Embeddings } from '#core/llm/embeddings.ts';
import { quantized } from '../index/vectors.ts';
import { type AidState, NO_HITS } from '../query/aid.ts';
import type { SearchRequest } from '../query/marketplace-search.ts';
import type { MarketplaceView } from '../query/marketplace-view.ts';
import type { NearestHits, NearestRequest } from '../query/nearest-rows.ts';
import { type NearestOfView, nearestOfView, scannedRows } from '../query/scanned-rows.ts';
import { RANKING } from '../ranking.ts';
import { askInTime } from './ask-in-time.ts';
import type { NoteAsked } from './meter.ts';
import { pacer } from './pacer.ts';
import type { Scanner } from './scanner.ts';
import type { SearchModelConfig } from './space.ts';

/** What is nearest to a text in meaning. */
export interface Meaning {
  /** Among the capabilities of a view and their tools, and among those that pass the filters. */
  nearest(view: MarketplaceView, text: string, filtered: Filtering): Promise<Near>;
  /** Among other rows, whose vectors come with the request. */
  nearestIn(rows: Pick<NearestRequest, 'dimensions' | 'blocks' | 'kinds'>, text: string): Promise<Found>;
}

/** `today` is for a filter by age. */
type Filtering = Pick<SearchRequest, 'filters' | 'today'>;

interface Near extends NearestOfView {
  state: AidState;
}

type Found = { state: 'used'; nearest: NearestHits[] } | { state: Exclude<AidState, 'used'>; nearest: null };

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
  const nearestIn: Meaning['nearestIn'] = async ({ dimensions, blocks, kinds }, text) => {
    const found = await vectors.ask(text, text);
    if (found.state !== 'used') return { state: found.state, nearest: null };
    const { answer: query } = found;
    // The model has changed since the vectors of the rows were made.
    if (query.length !== dimensions) return { state: 'failed', nearest: null };
    const all = await scanner.nearest({ dimensions, blocks, kinds, query, most: RANKING.fusion.nearest });
    if (all === null) return { state: 'resting', nearest: null };
    return { state: 'used', nearest: all.map((each) => similarOnly(each, least_similarity / 100)) };
  };
  const kept = new WeakMap<MarketplaceView, LRUCache<string, Near>>();
  const keptOf = (view: MarketplaceView): LRUCache<string, Near> => {
    const known = kept.get(view) ?? new LRUCache<string, Near>({ max: MOST_KEPT });
    kept.set(view, known);
    return known;
  };
  return {
    nearestIn,
    async nearest(view, text, { filters, today = 0 }) {
      if (view.vectors === null) return { state: 'no_vectors', ...NOTHING };
      const key = JSON.stringify([text, filters, today]);
      const known = keptOf(view).get(key);
      if (known !== undefined) return known;
      const { state, nearest } = await nearestIn(scannedRows(view, view.vectors, { filters, today }), text);
      if (nearest === null) return { state, ...NOTHING };
      const near: Near = { state, ...nearestOfView(nearest) };
      keptOf(view).set(key, near);
      return near;
    },
  };
}

const NOTHING = { capabilities: NO_HITS, tools: NO_HITS };

function similarOnly({ hits, similarities }: NearestHits, least: number): NearestHits {
  const end = similarities.findIndex((similarity) => similarity < least);
  return end === -1 ? { hits, similarities } : { hits: hits.slice(0, end), similarities: similarities.slice(0, end) };
}
