import { hashOf, remembered } from '#core/text/text-cache.ts';
import { bitWords, setBit } from '../index/bitset.ts';
import { idHash } from '../index/capability-builder.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { nameKey } from '../index/field-weights.ts';
import { lowerBound } from '../index/sorted-rows.ts';
import { type Facets, facetsOf } from './facets.ts';
import { type Filtered, type Filters, filterRows } from './filter.ts';
import { pageOf } from './list.ts';
import type { SearchSort } from './list-query.ts';
import { rowOfHit } from './list-view.ts';
import type { MarketplaceView } from './marketplace-view.ts';
import type { Match } from './match.ts';
import { planOf, type QueryPlan } from './query-plan.ts';
import { scoreRows } from './score.ts';
import { type ScoredHit, topHits } from './top-k.ts';

export interface SearchRequest {
  text: string;
  filters: Filters;
  sort: SearchSort;
  limit: number;
  offset: number;
}

export interface SearchResult {
  total_count: number;
  hits: ScoredHit[];
  facets: Facets;
  plan: QueryPlan;
}

/** A search by relevance over one state of the marketplace's index. */
export function searchCapabilities(view: MarketplaceView, request: SearchRequest): SearchResult {
  const { text, filters } = request;
  // Clients request pages and filters of the same query one after another.
  const plan = remembered(view.plans, text, () => planOf(text, view.vocabulary));
  const name_key = hashOf(nameKey(text));
  const hash = idHash(text.trim());
  const parts = view.parts.map((part) => {
    const matched = scoreRows(part, { plan, name_key, ids: rowsWithId(part.segment, hash) });
    return filterRows(part, matched, filters);
  });
  return {
    total_count: parts.reduce((sum, { count }) => sum + count, 0),
    hits: request.sort === 'relevance' ? topHits(view, parts, request) : inOrder(view, parts, request, request.sort),
    facets: facetsOf(parts, filters),
    plan,
  };
}

function inOrder(
  view: MarketplaceView,
  parts: readonly Filtered[],
  { limit, offset }: SearchRequest,
  sort: Exclude<SearchSort, 'relevance'>,
): ScoredHit[] {
  const [base, delta] = parts.map(matchOf);
  const { hits } = pageOf(view.list, base as Match, delta ?? null, { sort, limit, offset });
  return Array.from(hits, (row) => ({ row, score: scoreOf(parts, row) }));
}

function matchOf({ part: { segment, scratch }, count }: Filtered): Match {
  const set = new Int32Array(bitWords(segment.count));
  for (let i = 0; i < count; i++) setBit(set, scratch.rows[i] as number);
  return { list: null, set, count, checkpoints: null };
}

function scoreOf([base, delta = base]: readonly Filtered[], hit: number): number {
  const { part, count } = (hit >= 0 ? base : delta) as Filtered;
  const { rows, scores } = part.scratch;
  return scores[lowerBound(rows.subarray(0, count), rowOfHit(hit))] as number;
}

/** Rows with the id of this hash (`idHash`). */
export function rowsWithId({ idHashes, idRows }: CapabilitySegment, id_hash: number): number[] {
  const rows: number[] = [];
  for (let at = lowerBound(idHashes, id_hash); idHashes[at] === id_hash; at++) rows.push(idRows[at] as number);
  return rows;
}
