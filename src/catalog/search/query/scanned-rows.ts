import type { Vectors } from '../index/vectors.ts';
import { NO_HITS } from './aid.ts';
import { hasFilter, rowsLeftOut } from './filter.ts';
import type { SearchRequest } from './marketplace-search.ts';
import { type MarketplaceView, toolsOfRows } from './marketplace-view.ts';
import type { NearestHits, NearestRequest } from './nearest-rows.ts';

/** What is scanned for a search. */
type ScannedRows = Pick<NearestRequest, 'dimensions' | 'blocks' | 'kinds'>;

/** The nearest capabilities, and the nearest tools of capabilities. */
export interface NearestOfView {
  capabilities: NearestHits;
  tools: NearestHits;
}

/**
 * Capabilities and their tools, and with filters also those that pass. The nearest of all count, too: facets show what other filters
 * would find.
 */
export function scannedRows(
  view: MarketplaceView,
  vectors: Vectors,
  { filters, today = 0 }: Pick<SearchRequest, 'filters' | 'today'>,
): ScannedRows {
  const { dimensions, blocks } = vectors;
  const deleted = view.parts.map((part) => part.deleted);
  const deletedTools = view.tools().parts.map((part) => part.deleted);
  const all = kindsWithout(vectors, deleted, deletedTools);
  if (!hasFilter(filters)) return { dimensions, blocks, kinds: all };
  const leftOut = view.parts.map((part) => rowsLeftOut(part, filters, today));
  const toolsLeftOut = view.parts.map((part, at) => toolsOfRows(part.segment.tools, leftOut[at] as Int32Array));
  return { dimensions, blocks, kinds: [...all, ...kindsWithout(vectors, leftOut, toolsLeftOut)] };
}

/** From what was found of each kind. */
export function nearestOfView([capabilities, tools, passing, ofPassing]: readonly NearestHits[]): NearestOfView {
  return { capabilities: united(capabilities, passing), tools: united(tools, ofPassing) };
}

type PerPart = readonly (Int32Array | null)[];

function kindsWithout({ tools, ...own }: Vectors, rows: PerPart, ofTools: PerPart): ScannedRows['kinds'] {
  const without = ({ base, delta }: Vectors['tools'], leftOut: PerPart) =>
    [base, delta].flatMap((slots, at) => (slots === null ? [] : { slots, deleted: leftOut[at] ?? null }));
  return [without(own, rows), without(tools, ofTools)];
}

/** The hits of both, each once, the nearest first. */
function united(all: NearestHits = NO_HITS, passing: NearestHits = NO_HITS): NearestHits {
  if (passing.hits.length === 0) return all;
  const similarities = new Map<number, number>();
  for (const { hits, similarities: each } of [all, passing])
    for (const [at, hit] of hits.entries()) similarities.set(hit, each[at] as number);
  const sorted = [...similarities].sort(([, a], [, b]) => b - a);
  return {
    hits: Int32Array.from(sorted, ([hit]) => hit),
    similarities: Float32Array.from(sorted, ([, similarity]) => similarity),
  };
}
