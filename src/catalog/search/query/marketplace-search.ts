import { hashOf, remembered } from '#core/text/text-cache.ts';
import { bitWords, setBit } from '../index/bitset.ts';
import { idHash } from '../index/capability-builder.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { nameKey } from '../index/field-weights.ts';
import { lowerBound } from '../index/ngrams.ts';
import { type Facets, facetsOf } from './facets.ts';
import { type Sifted, sift } from './filter.ts';
import type { Filters } from './filters.ts';
import type { SearchSort } from './list-query.ts';
import type { IndexView } from './marketplace-view.ts';
import type { Match } from './match.ts';
import { type Plan, planOf } from './query-plan.ts';
import { pageOf } from './registry-view.ts';
import { scoreRows } from './score.ts';
import { bestOf } from './top-k.ts';

/** Search by relevance over one state of all capabilities. */

export interface AskedSearch {
  text: string;
  filters: Filters;
  sort: SearchSort;
  limit: number;
  offset: number;
}

export interface FoundSearch {
  total_count: number;
  /** 0 and above in the base, `-1 - row` in the delta, with its score. */
  hits: { row: number; score: number }[];
  facets: Facets;
  plan: Plan;
}

export function findCapabilities(view: IndexView, asked: AskedSearch): FoundSearch {
  // Pages and filters of a query are asked for one after the other.
  const plan = remembered(view.plans, asked.text, () => planOf(asked.text, view.vocabulary));
  const name_key = hashOf(nameKey(asked.text));
  const hash = idHash(asked.text.trim());
  const parts = view.parts.map((part) =>
    sift(part, scoreRows(part, { plan, name_key, ids: idRowsOf(part.segment, hash) }), asked.filters),
  );
  return {
    total_count: parts.reduce((sum, { count }) => sum + count, 0),
    hits: asked.sort === 'relevance' ? bestOf(view, parts, asked) : inOrder(view, parts, asked, asked.sort),
    facets: facetsOf(parts, asked.filters),
    plan,
  };
}

function inOrder(
  view: IndexView,
  parts: readonly Sifted[],
  { limit, offset }: AskedSearch,
  sort: Exclude<SearchSort, 'relevance'>,
) {
  const [base, delta] = parts.map(matchOf);
  const { rows } = pageOf(view.list, base as Match, delta ?? null, { sort, limit, offset });
  return Array.from(rows, (row) => ({ row, score: scoreAt(parts, row) }));
}

/** As the lists' functions take it. */
function matchOf({ part: { segment, scratch }, count }: Sifted): Match {
  const set = new Int32Array(bitWords(segment.count));
  for (let i = 0; i < count; i++) setBit(set, scratch.rows[i] as number);
  return { list: null, set, count, stops: null };
}

function scoreAt([base, delta = base]: readonly Sifted[], hit: number): number {
  const { part, count } = (hit >= 0 ? base : delta) as Sifted;
  const { rows, scores } = part.scratch;
  return scores[lowerBound(rows.subarray(0, count), hit >= 0 ? hit : -1 - hit)] as number;
}

export function idRowsOf({ idHashes, idRows }: CapabilitySegment, hash: number): number[] {
  let low = 0;
  let high = idHashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((idHashes[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  const rows: number[] = [];
  for (let at = low; idHashes[at] === hash; at++) rows.push(idRows[at] as number);
  return rows;
}
