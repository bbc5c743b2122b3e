import { setImmediate } from 'node:timers/promises';
import { sha256 } from '#core/crypto/sha256.ts';
import type { ToolText } from '../index/tool-text.ts';
import { vectorStore } from '../index/vectors.ts';
import { type Aid, type AidState, NO_HITS } from '../query/aid.ts';
import { NO_FILTERS } from '../query/filter.ts';
import type { MarketplaceView } from '../query/marketplace-view.ts';
import type { NearestHits, NearestRequest } from '../query/nearest-rows.ts';
import { type IsWanted, searchTools, type ToolHit, type ToolIndex, toolPosition } from '../query/tool-search.ts';
import { RANKING } from '../ranking.ts';
import { within } from './ask-in-time.ts';
import type { RerankQuestion } from './chat-order.ts';
import type { Meaning } from './meaning.ts';
import type { Reranker } from './reranker.ts';
import type { TextVectors } from './text-vectors.ts';
import { embeddedTool } from './tool-text.ts';

/** Asks the models about a search of tools, as about one of capabilities. */

export interface ToolQuestion {
  text: string;
  /** What is searched. */
  index: ToolIndex;
  /** Whose tools the first parts are; null if there are none of an index. */
  view: MarketplaceView | null;
  /** Tools that are in no database, and the position of each. The same list each time keeps its vectors. */
  others: readonly ToolText[];
  positionOf(at: number): number;
  /** Whether only some people may see them. Then models are asked only if the operator allows it. */
  is_private: boolean;
  /** Which tools count, for one search. */
  wanted(): IsWanted | null;
  /** What a reranker is given of the first results. */
  textsOf(hits: readonly ToolHit[]): Promise<RerankQuestion['documents']>;
}

interface ToolAsking {
  /** Null without an embedding model. */
  meaning: Meaning | null;
  texts: TextVectors | null;
  reranker: Reranker | null;
  /** From 0 to 1. */
  weight: number;
  wait_ms: number;
}

export async function aidTools(asking: ToolAsking, question: ToolQuestion): Promise<Aid> {
  const { state, nearest } = await nearestTools(asking, question);
  const aid: Aid = {
    nearest,
    weight: asking.weight,
    first: [],
    meaning: state,
    reranking: 'off',
    key: state,
  };
  return asking.reranker === null ? aid : reranked(question, aid, asking.reranker);
}

/** Of those in the index and of the others. */
async function nearestTools(
  { meaning, texts, wait_ms }: ToolAsking,
  { text, view, others, positionOf }: ToolQuestion,
): Promise<Near> {
  if (meaning === null || texts === null) return { state: 'off', nearest: NO_HITS };
  const [rows, indexed] = await Promise.all([
    rowsOf(others, texts, wait_ms),
    view === null ? null : meaning.nearest(view, text, { filters: NO_FILTERS }),
  ]);
  const found: Near[] = [];
  if (indexed !== null) {
    const { state, tools } = indexed;
    found.push({
      state,
      nearest: placed(tools, (hit) => (hit >= 0 ? toolPosition(0, hit) : toolPosition(1, -1 - hit))),
    });
  }
  if (rows !== null) {
    const { state, nearest } = await meaning.nearestIn(rows, text);
    found.push({ state, nearest: placed(nearest?.[0] ?? NO_HITS, positionOf) });
  }
  const used = found.filter(({ state }) => state === 'used');
  if (used.length > 0) return { state: 'used', nearest: merged(used.map(({ nearest }) => nearest)) };
  return found.find(({ state }) => state !== 'no_vectors') ?? { state: 'no_vectors', nearest: NO_HITS };
}

interface Near {
  state: AidState;
  nearest: NearestHits;
}

/** Hits as positions of tools. */
const placed = ({ hits, similarities }: NearestHits, positionOf: (hit: number) => number): NearestHits => ({
  hits: hits.map(positionOf),
  similarities,
});

function merged(lists: readonly NearestHits[]): NearestHits {
  const all = lists.flatMap(({ hits, similarities }) =>
    Array.from(hits, (hit, at) => ({ hit, similarity: similarities[at] as number })),
  );
  const best = all.sort((a, b) => b.similarity - a.similarity).slice(0, RANKING.fusion.nearest);
  return {
    hits: Int32Array.from(best, ({ hit }) => hit),
    similarities: Float32Array.from(best, ({ similarity }) => similarity),
  };
}

type Rows = Pick<NearestRequest, 'dimensions' | 'blocks' | 'kinds'>;

interface Listed {
  digests: readonly string[];
  /** How many of them have a vector in `rows`. */
  filled: number;
  rows: Rows | null;
}

/** By the list. */
const listed = new WeakMap<readonly ToolText[], Listed>();

/** Further tools are found by words. */
const MOST_OTHERS = 5_000;
const AT_ONCE = 100;

/** Null while no tool has a vector. Waits for the first vectors as long as a search waits for its own. */
async function rowsOf(tools: readonly ToolText[], vectors: TextVectors, wait_ms: number): Promise<Rows | null> {
  if (tools.length === 0) return null;
  const known = listed.get(tools) ?? { digests: await digestsOf(tools), filled: 0, rows: null };
  listed.set(tools, known);
  if (known.filled === known.digests.length) return known.rows;
  const missing = new Map<string, string>();
  for (const [at, digest] of known.digests.entries())
    if (vectors.get(digest) === undefined) missing.set(digest, embeddedTool(tools[at] as ToolText));
  if (missing.size > 0) await within(wait_ms, vectors.fill(missing));
  const filled = known.digests.reduce((sum, digest) => (vectors.get(digest) == null ? sum : sum + 1), 0);
  if (filled !== known.filled) {
    known.rows = filled === 0 ? null : slotted(known.digests, vectors);
    known.filled = filled;
  }
  return known.rows;
}

async function digestsOf(tools: readonly ToolText[]): Promise<string[]> {
  const digests: string[] = [];
  for (const [at, tool] of tools.slice(0, MOST_OTHERS).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate();
    digests.push(sha256(embeddedTool(tool)));
  }
  return digests;
}

function slotted(digests: readonly string[], vectors: TextVectors): Rows {
  const store = vectorStore();
  for (const digest of new Set(digests)) {
    const vector = vectors.get(digest);
    if (vector != null) store.add(digest, vector);
  }
  const slots = store.slotsOf(
    digests.length,
    digests.map((digest, row) => [digest, row] as const),
  );
  return { dimensions: store.dimensions, blocks: store.blocks, kinds: [[{ slots, deleted: null }]] };
}

async function reranked(question: ToolQuestion, aid: Aid, reranker: Reranker): Promise<Aid> {
  const { index, text, wanted, textsOf } = question;
  const { hits } = searchTools(index, { text, limit: RANKING.fusion.reranked, offset: 0, isWanted: wanted(), aid });
  if (hits.length < 2) return aid;
  const documents = await textsOf(hits);
  const key = JSON.stringify(['tools', text, documents.map(({ name, listing_type }) => [name, listing_type])]);
  const found = await reranker.ask(key, { query: text, documents });
  if (found.state !== 'used') return { ...aid, reranking: found.state, key: `${aid.key} ${found.state}` };
  const first = found.answer.map((place) => {
    const { part, row } = hits[place] as ToolHit;
    return toolPosition(part, row);
  });
  return { ...aid, first, reranking: 'used', key: `${aid.key} ${found.answer.join()}` };
}
