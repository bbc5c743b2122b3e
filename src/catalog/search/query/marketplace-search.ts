import { hashOf, remembered } from '#core/text/text-cache.ts';
import { bitWords, setBit } from '../index/bitset.ts';
import { idHash } from '../index/capability-builder.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { nameKey } from '../index/field-weights.ts';
import { lowerBound } from '../index/sorted-rows.ts';
import { RANKING } from '../ranking.ts';
import type { Aid } from './aid.ts';
import { addNearest, aidedHits, isAided, scoreIn } from './aided-hits.ts';
import { type Facets, facetsOf } from './facets.ts';
import { type Filtered, type Filters, filterRows } from './filter.ts';
import type { ScoredHit } from './heap.ts';
import { pageOf } from './list.ts';
import type { SearchSort } from './list-query.ts';
import type { MarketplaceView } from './marketplace-view.ts';
import type { Match } from './match.ts';
import { planOf, type QueryPlan, typedPlanOf } from './query-plan.ts';
import { scoreRows } from './score.ts';
import { topHits } from './top-k.ts';
import { translatedPlanOf } from './translated-plan.ts';

export interface SearchRequest {
  text: string;
  /** True: without corrections and translations. */
  as_typed: boolean;
  filters: Filters;
  sort: SearchSort;
  limit: number;
  offset: number;
  /** What an operator's models say about the text. Only relevance considers it. */
  aid?: Aid | null;
}

export interface SearchResult {
  total_count: number;
  hits: readonly ScoredHit[];
  facets: Facets;
  plan: QueryPlan;
}

/** A search by relevance over one state of the marketplace's index. */
export function searchCapabilities(view: MarketplaceView, request: SearchRequest): SearchResult {
  const { filters } = request;
  const { plan, matched } = matchText(view, request);
  const aid = request.sort === 'relevance' && isAided(request.aid) ? request.aid : null;
  const parts = view.parts.map((part, i) => {
    const count = matched[i] as number;
    return filterRows(part, aid === null ? count : addNearest(part, count, aid), filters);
  });
  return {
    total_count: parts.reduce((sum, { count }) => sum + count, 0),
    hits: hitsOf(view, parts, request, aid),
    facets: facetsOf(parts, filters),
    plan,
  };
}

function hitsOf(
  view: MarketplaceView,
  parts: readonly Filtered[],
  request: SearchRequest,
  aid: Aid | null,
): readonly ScoredHit[] {
  if (request.sort !== 'relevance') return inOrder(view, parts, request, request.sort);
  return aid === null ? topHits(view, parts, request) : aidedHits(view, parts, request, aid);
}

/** Plans and scores. `matched` has the number of rows of each part. */
function matchText(view: MarketplaceView, { text, as_typed }: SearchRequest): { plan: QueryPlan; matched: number[] } {
  const name_key = hashOf(nameKey(text));
  const hash = idHash(text.trim());
  const score = (plan: QueryPlan): number[] =>
    view.parts.map((part) => scoreRows(part, { plan, name_key, ids: rowsWithId(part.segment, hash) }));
  if (as_typed) {
    const plan = typedPlanOf(text, view.vocabulary);
    return { plan, matched: score(plan) };
  }
  // Clients request pages and filters of the same query one after another.
  const plan = remembered(view.plans, text, () => planOf(text, view.vocabulary));
  const matched = score(plan);
  // What was corrected may be correct in another language.
  if (sumOf(matched) >= RANKING.few && plan.corrected.length === 0) return { plan, matched };
  const translated = remembered(view.translations, text, () => translatedPlanOf(text, view.vocabulary));
  return translated === null ? { plan, matched } : { plan: translated, matched: score(translated) };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function inOrder(
  view: MarketplaceView,
  parts: readonly Filtered[],
  { limit, offset }: SearchRequest,
  sort: Exclude<SearchSort, 'relevance'>,
): ScoredHit[] {
  const [base, delta] = parts.map(matchOf);
  const { hits } = pageOf(view.list, base as Match, delta ?? null, { sort, limit, offset });
  return Array.from(hits, (row) => ({ row, score: scoreIn(parts, row) as number }));
}

function matchOf({ part: { segment, scratch }, count }: Filtered): Match {
  const set = new Int32Array(bitWords(segment.count));
  for (let i = 0; i < count; i++) setBit(set, scratch.rows[i] as number);
  return { list: null, set, count, checkpoints: null };
}

/** Rows with the id of this hash (`idHash`). */
export function rowsWithId({ idHashes, idRows }: CapabilitySegment, id_hash: number): number[] {
  const rows: number[] = [];
  for (let at = lowerBound(idHashes, id_hash); idHashes[at] === id_hash; at++) rows.push(idRows[at] as number);
  return rows;
}
