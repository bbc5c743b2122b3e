import { hashOf } from '../../../platform/text-cache.ts';
import { countBits } from '../../registry/catalog/bits.ts';
import type { Match } from '../../registry/catalog/match.ts';
import { pageOf } from '../../registry/catalog/view.ts';
import { bestOf } from './best.ts';
import { idHash } from './build.ts';
import { countFacets, type Facets } from './facets.ts';
import { type Filters, filtered, filterSets, type Sifted } from './filters.ts';
import { type Plan, planOf } from './plan.ts';
import type { SearchSort } from './query.ts';
import { type Scored, scoreSegment } from './score.ts';
import type { CapabilitySegment } from './segment.ts';
import { nameKey } from './texts.ts';
import type { IndexView, Part } from './view.ts';

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
  const plan = planFor(view, asked.text);
  const name_key = hashOf(nameKey(asked.text));
  const hash = idHash(asked.text.trim());
  const lookIn = (part: Part): Part & { scored: Scored; sifted: Sifted } => {
    const ids = idRowsOf(part.segment, hash);
    const scored = scoreSegment(part.segment, part.scratch, { plan, name_key, ids }, part.dead);
    return { ...part, scored, sifted: filtered(scored, part.segment, filterSets(part.segment, asked.filters)) };
  };
  const base = lookIn(view.base);
  const delta = view.delta === null ? null : lookIn(view.delta);
  const parts = delta === null ? [base] : [base, delta];
  return {
    total_count: parts.reduce((sum, { sifted }) => sum + countBits(sifted.all), 0),
    hits: asked.sort === 'relevance' ? bestOf(view, parts, asked) : inOrder(view, parts, asked, asked.sort),
    facets: countFacets(parts),
    plan,
  };
}

/** Made once for one state: pages and filters of a query are asked for one after the other. */
function planFor({ plans, vocabulary }: IndexView, text: string): Plan {
  let plan = plans.get(text);
  if (plan === undefined) {
    plan = planOf(text, vocabulary);
    plans.set(text, plan);
  }
  return plan;
}

type Looked = Part & { scored: Scored; sifted: Sifted };

function inOrder(
  view: IndexView,
  parts: readonly Looked[],
  { limit, offset }: AskedSearch,
  sort: Exclude<SearchSort, 'relevance'>,
) {
  const [base, delta] = parts.map(
    ({ sifted }): Match => ({ list: null, set: sifted.all, count: countBits(sifted.all), stops: null }),
  );
  const { rows } = pageOf(view.list, base as Match, delta ?? null, { sort, limit, offset });
  return Array.from(rows, (row) => ({ row, score: scoreAt(parts, row) }));
}

const scoreAt = ([base, delta]: readonly Looked[], row: number): number =>
  (row >= 0 ? base?.scratch.scores[row] : delta?.scratch.scores[-1 - row]) ?? 0;

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
