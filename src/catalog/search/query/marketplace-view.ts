import { type TextCache, textCache } from '#core/text/text-cache.ts';
import { bitWords, hasBit, setBit } from '../index/bitset.ts';
import { idHash } from '../index/capability-builder.ts';
import { type CapabilitySegment, readCapability, rowsWithId } from '../index/capability-segment.ts';
import type { MarketplaceState } from '../index/delta.ts';
import type { ShownCapability } from '../index/document.ts';
import type { CapabilityTools } from '../index/tool-segment.ts';
import type { Vectors } from '../index/vectors.ts';
import { type ListView, listViewOf, rowOfHit } from './list-view.ts';
import { type Part, partOf } from './part.ts';
import type { QueryPlan } from './query-plan.ts';
import { type ToolIndex, type ToolPartSource, toolIndexOf } from './tool-search.ts';
import { CACHE_BYTES, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** One state of the marketplace's index, ready to be read by one thread. */
export interface MarketplaceView {
  version: string;
  /** False while the first index is being built and covers only part of the capabilities. */
  is_whole: boolean;
  /** The base, and the delta if there is one. */
  parts: readonly [base: Part, ...delta: Part[]];
  /** The same state for lists. */
  list: ListView;
  vocabulary: Vocabulary;
  /** The tools of the same capabilities, in the same parts. */
  tools(): ToolIndex;
  /** For an operator's embedding model; null without one. */
  vectors: Vectors | null;
  /** By text. */
  plans: TextCache<QueryPlan>;
  /** By text: null if it has no word of another language. */
  translations: TextCache<QueryPlan | null>;
}

/** Keeps the memory and the cache of the base if the base is the same. */
export function marketplaceViewOf(state: MarketplaceState, before: MarketplaceView | null): MarketplaceView {
  const { version, deleted, is_whole, vectors = null } = state;
  const known = before?.parts[0];
  const isSameBase = known !== undefined && known.segment.list.json.buffer === state.base.list.json.buffer;
  const delta = state.delta?.segment;
  const copied = copiedInBase(state.base, delta);
  const base: Part = { ...(isSameBase ? known : partOf(0, state.base, deleted)), deleted, copied };
  const parts: MarketplaceView['parts'] = delta === undefined ? [base] : [base, partOf(1, delta, null)];
  const list = {
    base: base.segment.list,
    deleted,
    delta: state.delta && { positions: state.delta.positions, segment: state.delta.segment.list },
    version,
  };
  let tools: ToolIndex | null = null;
  return {
    version,
    is_whole,
    parts,
    list: listViewOf(list, before?.list ?? null),
    vocabulary: vocabularyOf(parts),
    tools: () => {
      tools ??= toolIndexOf(parts.map(toolPartOf));
      return tools;
    },
    vectors,
    plans: textCache({ most_bytes: CACHE_BYTES, bytesOf: planBytes }),
    translations: textCache({ most_bytes: CACHE_BYTES, bytesOf: (plan) => (plan === null ? 64 : planBytes(plan)) }),
  };
}

/** Tools of deleted capabilities are deleted. */
export const toolPartOf = ({ segment: { tools }, deleted }: Part): ToolPartSource => ({
  segment: tools,
  deleted: deleted === null ? null : toolsOfRows(tools, deleted),
});

/** The tools of some capabilities, as bits. */
export function toolsOfRows(tools: CapabilityTools, rows: Int32Array): Int32Array {
  const found = new Int32Array(bitWords(tools.count));
  for (let tool = 0; tool < tools.count; tool++) if (hasBit(rows, tools.owners[tool] as number)) setBit(found, tool);
  return found;
}

/** Includes rows of which only the delta has copies. */
function copiedInBase({ copied }: CapabilitySegment, delta: CapabilitySegment | undefined): Int32Array {
  if (delta === undefined) return copied;
  const more = copied.slice();
  for (const leader of delta.leaders) if (leader >= 0) setBit(more, leader);
  return more;
}

/** An estimate: expansions take most of it. */
const planBytes = ({ groups, pairs }: QueryPlan): number =>
  512 + 256 * (pairs.length + groups.reduce((sum, { expansions }) => sum + 1 + expansions.length, 0));

export const partOfHit = ({ parts: [base, delta = base] }: MarketplaceView, hit: number): Part =>
  hit >= 0 ? base : delta;

/** The hit with this id; null if nothing has it. */
export function hitOf(view: MarketplaceView, id: string): number | null {
  const hash = idHash(id);
  const hits = view.parts.flatMap(({ at, segment, deleted }) =>
    rowsWithId(segment, hash).flatMap((row) =>
      deleted !== null && hasBit(deleted, row) ? [] : at === 0 ? row : -1 - row,
    ),
  );
  return hits.find((hit) => capabilityOfHit(view, hit).id === id) ?? null;
}

/** The capability of a hit. `Shown` is the type that its document was made with. */
export const capabilityOfHit = <Shown extends ShownCapability = ShownCapability>(
  view: MarketplaceView,
  hit: number,
): Shown => readCapability<Shown>(partOfHit(view, hit).segment.list, rowOfHit(hit));
