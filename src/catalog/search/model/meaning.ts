import { LRUCache } from 'lru-cache';
import type { Embeddings } from '#core/llm/embeddings.ts';
import { quantized, type Vectors } from '../index/vectors.ts';
import { type AidState, NO_HITS } from '../query/aid.ts';
import type { MarketplaceView } from '../query/marketplace-view.ts';
import type { NearestHits, NearestRequest } from '../query/nearest-rows.ts';
import { RANKING } from '../ranking.ts';
import { askInTime } from './ask-in-time.ts';
import type { NoteAsked } from './meter.ts';
import { pacer } from './pacer.ts';
import type { Scanner } from './scanner.ts';
import type { SearchModelConfig } from './space.ts';

/** What is nearest to a text in meaning. */
export interface Meaning {
  /** Among the capabilities of a view and their tools. */
  nearest(view: MarketplaceView, text: string): Promise<Near>;
  /** Among other rows, whose vectors come with the request. */
  nearestIn(rows: Pick<NearestRequest, 'dimensions' | 'blocks' | 'kinds'>, text: string): Promise<Found>;
}

interface Near {
  state: AidState;
  capabilities: NearestHits;
  tools: NearestHits;
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
    async nearest(view, text) {
      if (view.vectors === null) return { state: 'no_vectors', ...NOTHING };
      const known = keptOf(view).get(text);
      if (known !== undefined) return known;
      const { state, nearest } = await nearestIn(rowsOf(view, view.vectors), text);
      if (nearest === null) return { state, ...NOTHING };
      const [capabilities = NO_HITS, tools = NO_HITS] = nearest;
      const near: Near = { state, capabilities, tools };
      keptOf(view).set(text, near);
      return near;
    },
  };
}

const NOTHING = { capabilities: NO_HITS, tools: NO_HITS };

function rowsOf(view: MarketplaceView, { dimensions, blocks, base, delta, tools }: Vectors) {
  const own = [base, delta].flatMap((slots, at) =>
    slots === null ? [] : { slots, deleted: at === 0 ? view.parts[0].deleted : null },
  );
  const ofTools = [tools.base, tools.delta].flatMap((slots, at) =>
    slots === null ? [] : { slots, deleted: view.tools().parts[at]?.deleted ?? null },
  );
  return { dimensions, blocks, kinds: [own, ofTools] };
}

function similarOnly({ hits, similarities }: NearestHits, least: number): NearestHits {
  const end = similarities.findIndex((similarity) => similarity < least);
  return end === -1 ? { hits, similarities } : { hits: hits.slice(0, end), similarities: similarities.slice(0, end) };
}
