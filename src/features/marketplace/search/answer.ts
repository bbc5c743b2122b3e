import type { Listing } from '../shapes.ts';
import { idHash } from './build.ts';
import { type Explained, explain } from './explain.ts';
import type { Facets } from './facets.ts';
import { type AskedSearch, type FoundSearch, findCapabilities, idRowsOf } from './find.ts';
import { type Highlight, highlightsOf } from './highlights.ts';
import type { IndexView } from './view.ts';
import { wireAt } from './wire-at.ts';

/** What a search finds, as it is shown. */

export interface SearchHit extends Listing {
  score: number;
  highlights: Highlight[];
  explain?: Explained;
}

export interface SearchAnswer {
  items: SearchHit[];
  total_count: number;
  facets: Facets;
  corrected: { from: string; to: string }[];
  unmatched: string[];
}

export function searchAnswer(view: IndexView, asked: AskedSearch, with_explain: boolean): SearchAnswer {
  const found = findCapabilities(view, asked);
  const terms = new Set(
    [...found.plan.groups, ...found.plan.pairs].flatMap(({ stands }) => stands.flatMap((it) => it.terms)),
  );
  const { corrected, unmatched } = found.plan;
  return {
    items: found.hits.map((hit) => shown(view, asked, found, terms, hit, with_explain)),
    ...{ total_count: found.total_count, facets: found.facets, corrected, unmatched },
  };
}

function shown(
  view: IndexView,
  asked: AskedSearch,
  { plan }: FoundSearch,
  terms: ReadonlySet<string>,
  { row, score }: FoundSearch['hits'][number],
  with_explain: boolean,
): SearchHit {
  const { segment } = row >= 0 || view.delta === null ? view.base : view.delta;
  const at = row >= 0 ? row : -1 - row;
  const wire = wireAt(segment.list, at);
  const hit = { ...wire, score: rounded(score), highlights: highlightsOf(wire, terms) };
  if (!with_explain) return hit;
  const is_id = idRowsOf(segment, idHash(asked.text.trim())).includes(at);
  return { ...hit, explain: explain(segment, at, plan, score, is_id) };
}

const rounded = (score: number): number => Math.round(score * 1e4) / 1e4;
