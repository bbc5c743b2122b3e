import { hashOf, remembered } from '#core/text/text-cache.ts';
import { bitWords, hasBit, setBit } from '../index/bitset.ts';
import { idHash } from '../index/capability-builder.ts';
import { rowsWithId } from '../index/capability-segment.ts';
import { nameKey } from '../index/field-weights.ts';
import { isDescribed } from '../index/outline.ts';
import { RANKING } from '../ranking.ts';
import { type Aid, isAided } from './aid.ts';
import { addNearest, aidedHits, frontsOf, scoreIn } from './aided-hits.ts';
import { type Facets, facetsOf } from './facets.ts';
import { countPassing, type Filtered, type Filters, filterRows } from './filter.ts';
import { copiesOf, foldCopies, frontOf, keepGroup } from './fold-copies.ts';
import { type AidedPlace, mostByWords } from './fuse.ts';
import type { ScoredHit } from './heap.ts';
import { pageOf } from './list.ts';
import type { SearchSort } from './list-query.ts';
import { rowOfHit } from './list-view.ts';
import { hitOf, type MarketplaceView, partOfHit } from './marketplace-view.ts';
import type { Match } from './match.ts';
import { hitsBetween, ORDERED, type Ordered, orderTop } from './order.ts';
import type { Part } from './part.ts';
import { planOf, type QueryPlan, typedPlanOf } from './query-plan.ts';
import { scoreRows } from './score.ts';
import { type TopRows, topRows } from './top-k.ts';
import { translatedPlanOf } from './translated-plan.ts';

export interface SearchRequest {
  /** Empty: everything that passes the filters. */
  text: string;
  /** True: without corrections and translations. */
  as_typed: boolean;
  filters: Filters;
  sort: SearchSort;
  limit: number;
  offset: number;
  /** What an operator's models say about the text. Only relevance considers it. */
  aid?: Aid | null;
  /** Only the matches with the text of this capability, each as a separate result. */
  copies_of?: string | null;
  /** True: every copy is a result, as in lists. */
  unfolded?: boolean;
  /** In days, for the age of updates. Without it, none is old. */
  today?: number;
}

/** One result is shown for all matches with the same text. */
interface Hit extends ScoredHit {
  /** How many other matches have its text. */
  copies: number;
  /** If models contributed to the order. */
  aided?: AidedPlace;
}

export interface SearchResult {
  /** Of the results. */
  total_count: number;
  /** Of the matches, copies included. Facets count these. */
  with_copies: number;
  hits: Hit[];
  facets: Facets;
  plan: QueryPlan;
  /** How the matches by relevance were ordered, until the thread's next query. Null in other orders. */
  order: Ordered | null;
}

/** A search by relevance over one state of the marketplace's index. */
export function searchCapabilities(view: MarketplaceView, request: SearchRequest): SearchResult {
  const { filters, copies_of = null, today = 0 } = request;
  const { plan, matched } = matchText(view, request);
  const isRanked = request.sort === 'relevance' && !isForAll(request);
  const aid = isRanked && isAided(request.aid) ? request.aid : null;
  const group = copies_of === null ? null : groupOf(view, copies_of);
  const parts = view.parts.map((part, i) => {
    const own = matched[i] as number;
    const count = aid === null ? own : addNearest(part, own, aid);
    return filterRows(part, group === null ? count : keepGroup(part, count, group), filters, today);
  });
  const with_copies = countOf(parts);
  const isFolded = group === null && request.unfolded !== true;
  if (isFolded) foldCopies(parts);
  const order = isRanked ? orderOf(view, parts, request, plan) : null;
  return {
    total_count: countOf(parts),
    with_copies,
    hits: hitsOf(view, parts, aid !== null && isFolded ? withFronts(view, request, aid) : request, order).map(
      (hit) => ({
        ...hit,
        copies: isFolded ? copiesOf(view.parts, hit.row) : 0,
      }),
    ),
    facets: facetsOf(parts, filters),
    plan,
    order,
  };
}

const countOf = (parts: readonly Filtered[]): number => parts.reduce((sum, { count }) => sum + count, 0);

/** The leader of a capability's copies; of an unknown one, a number that no row has. */
function groupOf(view: MarketplaceView, id: string): number {
  const hit = hitOf(view, id);
  return hit === null ? Number.NaN : (partOfHit(view, hit).segment.leaders[rowOfHit(hit)] as number);
}

/** The same block is ordered for every page. */
function orderOf(view: MarketplaceView, parts: readonly Filtered[], request: SearchRequest, plan: QueryPlan): Ordered {
  const { text, offset, limit, aid } = request;
  const most = isAided(aid) ? mostByWords(request, aid) : offset + limit;
  return orderTop(view.parts, topRows(view, parts, Math.max(ORDERED + 1, most)), text, plan);
}

function hitsOf(
  view: MarketplaceView,
  parts: readonly Filtered[],
  request: SearchRequest,
  order: Ordered | null,
): readonly ScoredHit[] {
  if (request.sort === 'relevance' && isForAll(request)) {
    const { offset, limit } = request;
    return hitsFrom(topRows(view, parts, offset + limit), offset);
  }
  if (order === null) return inOrder(view, parts, request, request.sort as Exclude<SearchSort, 'relevance'>);
  const { offset, limit, aid } = request;
  return isAided(aid) ? aidedHits(parts, request, aid, order) : hitsBetween(order, offset, offset + limit);
}

const hitsFrom = ({ count, parts, rows, scores }: TopRows, offset: number): ScoredHit[] =>
  Array.from({ length: Math.max(0, count - offset) }, (_, i) => {
    const [at, row] = [offset + i, rows[offset + i] as number];
    return { row: parts[at] === 0 ? row : -1 - row, score: scores[at] as number };
  });

/** What is near by its meaning is shown by the front of its copies. */
const withFronts = ({ parts }: MarketplaceView, request: SearchRequest, aid: Aid): SearchRequest => ({
  ...request,
  aid: { ...aid, nearest: frontsOf(aid.nearest, (hit) => frontOf(parts, hit)) },
});

/** Without a text, only proof, use and whether it is described rank what there is. */
export const isForAll = ({ text }: Pick<SearchRequest, 'text'>): boolean => text.trim() === '';

/** All rows, with what they are worth without a text. Returns how many. */
function matchAll({ segment, deleted, scratch: { rows, scores } }: Part): number {
  let matched = 0;
  for (let row = 0; row < segment.count; row++) {
    if (deleted !== null && hasBit(deleted, row)) continue;
    rows[matched] = row;
    const worth = (1 + (segment.priors[row] as number)) / 256;
    scores[matched++] = isDescribed(segment.outlines, row) ? worth : worth * RANKING.undescribed;
  }
  return matched;
}

/** Plans and scores. `matched` has the number of rows of each part. */
function matchText(
  view: MarketplaceView,
  { text, as_typed, filters, today = 0 }: SearchRequest,
): { plan: QueryPlan; matched: number[] } {
  if (isForAll({ text })) return { plan: typedPlanOf('', view.vocabulary), matched: view.parts.map(matchAll) };
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
  const passing = sumOf(view.parts.map((part, i) => countPassing(part, matched[i] as number, filters, today)));
  // What was corrected or matches nothing may be a word of another language.
  const isFew = passing < RANKING.few || plan.corrected.length > 0;
  if (!isFew && plan.unmatched.length === 0) return { plan, matched };
  const translated = remembered(view.translations, text, () => translatedPlanOf(text, view.vocabulary));
  if (translated === null || !(isFew || hasWordOf(translated, plan.unmatched))) return { plan, matched };
  return { plan: translated, matched: score(translated) };
}

const hasWordOf = ({ translated }: QueryPlan, words: readonly string[]): boolean =>
  translated.some(({ from }) => words.some((word) => from.includes(word)));

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
